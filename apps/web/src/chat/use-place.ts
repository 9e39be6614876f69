import type { VisibleMessage } from '@parley/client';
import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Address, isSameBut, pathOf, type Shelf, sidebarOf, without } from '../app/address.ts';
import { layerHistory } from '../app/history.ts';
import { hrefOf } from './channel-link.ts';
import type { MessageSpot } from './message-spot.ts';
import type { PlaceName } from './places.tsx';

const screens: Readonly<Record<string, PlaceName>> = {
  '/threads': 'threads',
  '/drafts': 'drafts',
  '/reminders': 'reminders',
  '/scheduled': 'scheduled',
  '/delete': 'delete',
};

/** Where only one pane fits, Back leads from a conversation to the list, not through all that were open before. */
export const isNarrow = (): boolean => matchMedia('(max-width: 45rem)').matches;

const isConversation = (path: string): boolean => path.startsWith('/c/');

type Navigate = ReturnType<typeof useNavigate>;

/** The ways to conversations and screens. */
const createWays = (navigate: Navigate) => {
  const current = () => `${location.pathname}${location.search}`;
  const to = (path: string, search: Address = {}) => {
    const isHere = path === location.pathname;
    const replace = isHere || (isNarrow() && isConversation(path) && isConversation(location.pathname));
    return navigate({
      to: path as '/',
      search: (now: Address) => ({ ...search, ...sidebarOf(now) }),
      replace,
    });
  };
  const change = (edit: (now: Address) => Address, replace = true) =>
    navigate({ to: '.', search: edit, replace });
  /** Closing is a step back to where it was opened; with none, the entry itself changes. */
  const close = (...names: (keyof Address)[]) =>
    layerHistory.leave(
      (under) => isSameBut(under, current(), ...names),
      () => void change((now) => without(now, ...names)),
    );
  /** One panel takes the place of another. The message of a link is done with: Back must not jump to it again. */
  const openPanel = async (panel: Pick<Address, 'thread' | 'panel'>) => {
    const { searchParams } = new URL(location.href);
    const hasPanel = searchParams.has('thread') || searchParams.has('panel');
    if (searchParams.has('m') && !hasPanel) await change((now) => without(now, 'm'));
    await change((now) => ({ ...panel, ...sidebarOf(now) }), hasPanel);
  };
  return { current, to, change, close, openPanel };
};

type Ways = ReturnType<typeof createWays>;

const createMessageWays = ({ current, to, change }: Ways) => {
  const openMessage = ({ cid, id, parent_id, show_in_channel }: MessageSpot) => {
    const thread = show_in_channel ? undefined : parent_id;
    return void to(hrefOf(cid), thread === undefined ? { m: id } : { m: id, thread });
  };
  /** Jumps to a message, also to the one that the address names already. A panel closes, by a step back where it was one to open it. */
  const jumpTo = (message: MessageSpot) => {
    const jump = async () => {
      if (hrefOf(message.cid) === location.pathname) await change((now) => sidebarOf(now));
      openMessage(message);
    };
    const from = current();
    const isPanelBelow = (under: string) =>
      under !== from && isConversation(from) && isSameBut(under, from, 'panel', 'thread');
    layerHistory.leave(
      isPanelBelow,
      () => void jump(),
      () => void jump(),
    );
  };
  return { openMessage, jumpTo };
};

const createPlaceWays = (navigate: Navigate) => {
  const ways = createWays(navigate);
  const { to, close, change, openPanel } = ways;
  /** The sidebar is beside the conversation, or a screen of its own. */
  const inSidebar = (edit: (now: Address) => Address) =>
    isNarrow()
      ? void navigate({ to: '/', search: (now: Address) => edit(sidebarOf(now)) })
      : void change(edit, false);
  return {
    ...createMessageWays(ways),
    go: (path: string) => void to(path),
    open: (cid: string) =>
      hrefOf(cid) === location.pathname ? close('thread', 'panel', 'm') : void to(hrefOf(cid)),
    openIn: (cid: string, thread: string | undefined) =>
      void to(hrefOf(cid), thread === undefined ? {} : { thread }),
    /** Goes to the list. On a phone that is the step back by which most have come. */
    toList: () =>
      layerHistory.leave(
        // Beside the conversation the sidebar stays as it is.
        (under) =>
          isNarrow() ? pathOf(under) === '/' : isSameBut(under, `/${location.search}`, 'thread', 'panel'),
        () => void navigate({ to: '/', search: (now: Address) => sidebarOf(now), replace: true }),
      ),
    openThread: (message: VisibleMessage) => void openPanel({ thread: message.parent_id ?? message.id }),
    closePanel: () => close('thread', 'panel', 'm'),
    toggle: (panel: 'members' | 'media', isOpen: boolean) =>
      isOpen ? close('panel') : void openPanel({ panel }),
    openSearch: () => inSidebar((now) => ({ ...now, q: now.q ?? '' })),
    typeSearch: (q: string) => void change((now) => ({ ...now, q })),
    closeSearch: () => close('q'),
    openShelf: (list: Shelf) => inSidebar((now) => ({ ...now, list })),
    closeShelf: () => close('list'),
  };
};

/** The address says what is open: the channel in the path; the thread, the panel, the message, the search and the shelf after it. */
export const usePlace = () => {
  const params: { type?: string; id?: string } = useParams({ strict: false });
  const { thread, m, panel, q, list }: Address = useSearch({ strict: false });
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const ways = useMemo(() => createPlaceWays(navigate), [navigate]);
  const cid = params.type && params.id ? `${params.type}:${params.id}` : undefined;
  const screen = screens[pathname];
  return {
    ...ways,
    cid,
    screen,
    /** True for an address that leads nowhere. */
    isUnknown: cid === undefined && screen === undefined && pathname !== '/',
    thread,
    messageId: m,
    panel: thread === undefined ? panel : undefined,
    words: q,
    shelf: list,
  };
};

export type Place = ReturnType<typeof usePlace>;
