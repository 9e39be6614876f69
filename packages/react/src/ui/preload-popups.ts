import { DialogPopup } from './dialog.tsx';
import { MenuPopup } from './menu.tsx';
import { NoticeHost } from './notices.tsx';
import { PopoverPopup } from './popover.tsx';
import { TooltipPopup } from './tooltip.tsx';
import { whenIdle } from './when-idle.ts';

/**
 * Fetches the code of popups, when the first screen is complete and the browser is idle: a menu must open also for a user who has lost
 * the network since. Returns its stop.
 */
export function preloadPopups(): () => void {
  const parts = [TooltipPopup, MenuPopup, PopoverPopup, DialogPopup, NoticeHost];
  return whenIdle(() => {
    for (const part of parts) part.preload().catch(() => {});
  });
}
