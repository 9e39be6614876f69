import { isOwn } from '@parley/client';
import type { ReactNode, RefObject } from 'react';
import { useMe } from '../../chat/client-provider.tsx';
import { useChannel } from '../../chat/use-channel.ts';
import { useConnection } from '../../connection/connected-banner.tsx';
import type { Anchor } from '../../list/list-window.ts';
import { MessageListView } from '../../list/message-list-view.tsx';
import type { MessageListHandle } from '../../list/use-anchored-list.ts';
import { abilitiesOf } from './message-abilities.ts';
import { MessageItem } from './message-item.tsx';
import type { MessageItemActs } from './message-item-props.ts';
import type { MessageItemView } from './message-items.ts';
import { firstOf, useMessageParts } from './message-parts.ts';
import { DateSeparator, UnreadSeparator } from './separators.tsx';
import type { MessageTimeline } from './use-messages.ts';

export type MessageFeedProps = {
  cid: string;
  timeline: MessageTimeline;
  items: readonly MessageItemView[];
  acts: MessageItemActs;
  list: RefObject<MessageListHandle | null>;
  lit?: string | undefined;
  initial?: Anchor | undefined;
  onLeave?: ((place: Anchor | undefined) => void) | undefined;
  label?: string | undefined;
  /** Shows who has read the newest own message. */
  showsMarks?: boolean;
  onAtEndChange?: (isAtEnd: boolean) => void;
  onLost?: ((key: string) => void) | undefined;
  overlay?: ReactNode;
  topOverlay?: ReactNode;
};

const keyOf = (item: MessageItemView) => item.key;
const isMessage = (item: MessageItemView) => item.kind === 'message';

/** The messages of a channel or thread as a list. Rows get plain values, so one change draws one row. */
export function MessageFeed(props: MessageFeedProps) {
  const { cid, timeline, items, acts, lit, showsMarks = false } = props;
  const me = useMe();
  const parts = useMessageParts();
  const state = useChannel(cid);
  const isOnline = useConnection().status === 'online';
  if (state === undefined) return null;
  const marked = showsMarks ? firstOf(parts, ({ marksIn }) => marksIn?.(state)) : undefined;
  const renderItem = (item: MessageItemView) => {
    if (item.kind === 'date') return <DateSeparator at={item.at} />;
    if (item.kind === 'unread') return <UnreadSeparator count={item.count} />;
    if (item.kind !== 'message') return <>{firstOf(parts, ({ separator }) => separator?.(item))}</>;
    const { message } = item;
    return (
      <MessageItem
        message={message}
        own={isOwn(message, { id: state.ownId })}
        startsGroup={item.startsGroup}
        endsGroup={item.endsGroup}
        abilities={abilitiesOf(state, me, message)}
        isOnline={isOnline}
        highlighted={message.id === lit}
        marks={message.id === marked?.messageId ? marked.marks : undefined}
        acts={acts}
      />
    );
  };
  let list = (
    <MessageListView
      ref={props.list}
      items={items}
      getKey={keyOf}
      isMessage={isMessage}
      renderItem={renderItem}
      hasMoreBefore={timeline.hasOlder}
      hasMoreAfter={timeline.hasNewer}
      loadingBefore={timeline.isLoadingOlder}
      loadingAfter={timeline.isLoadingNewer}
      onReachStart={timeline.loadOlder}
      onReachEnd={timeline.loadNewer}
      overlay={props.overlay}
      topOverlay={props.topOverlay}
      onLost={props.onLost}
      initial={props.initial}
      onLeave={props.onLeave}
      {...(props.label !== undefined && { label: props.label })}
      {...(props.onAtEndChange && { onAtEndChange: props.onAtEndChange })}
    />
  );
  for (const { Frame } of parts) if (Frame) list = <Frame>{list}</Frame>;
  return list;
}
