import { DialogPopup } from './dialog.tsx';
import { MenuPopup } from './menu.tsx';
import { NoticeHost } from './notices.tsx';
import { PopoverPopup } from './popover.tsx';
import { TooltipPopup } from './tooltip.tsx';
import { whenIdle } from './when-idle.ts';

/**
 * Fetches, when the first screen stands and nothing is to be drawn, what opens above it: a menu must open also for somebody who has lost
 * the network since. Returns its stop.
 */
export function preloadPopups(): () => void {
  const parts = [TooltipPopup, MenuPopup, PopoverPopup, DialogPopup, NoticeHost];
  return whenIdle(() => {
    for (const part of parts) part.preload().catch(() => {});
  });
}
