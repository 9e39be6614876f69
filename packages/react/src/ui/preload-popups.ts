import { DialogPopup } from './dialog.tsx';
import { MenuPopup } from './menu.tsx';
import { NoticeHost } from './notices.tsx';
import { PopoverPopup } from './popover.tsx';
import { TooltipPopup } from './tooltip.tsx';

/**
 * Fetches, once the first screen stands, what opens above it: a menu must open also for somebody who has lost
 * the network since. Returns its stop.
 */
export function preloadPopups(): () => void {
  const parts = [TooltipPopup, MenuPopup, PopoverPopup, DialogPopup, NoticeHost];
  const timer = setTimeout(() => {
    for (const part of parts) part.preload().catch(() => {});
  }, 1500);
  return () => clearTimeout(timer);
}
