import { isOwn } from '@parley/client';
import { useMe } from '../../../chat/client-provider.tsx';
import { useChannel } from '../../../chat/use-channel.ts';
import { useConnection } from '../../../connection/connected-banner.tsx';
import { MessageListView, type MessageListViewProps } from '../../../list/message-list-view.tsx';
import { abilitiesOf } from '../menu/message-abilities.ts';
import type { MessageItemActs } from '../message-item-props.ts';
import type { MessageItemView } from '../message-items.ts';
import { firstOf, useMessageParts } from '../message-parts.ts';
import { MessageItem } from '../row/message-item.tsx';
import { DateSeparator, UnreadSeparator } from '../row/separators.tsx';
import type { Jumps } from './use-jump.ts';
import type { MessageTimeline } from './use-messages.ts';

type ListProps = Pick<
  MessageListViewProps<MessageItemView>,
  'items' | 'initial' | 'onLeave' | 'label' | 'onAtEndChange' | 'overlay' | 'topOverlay'
>;

export type MessageFeedProps = ListProps & {
  cid: string;
  timeline: MessageTimeline;
  acts: MessageItemActs;
  /** The jumps of `useJump`. */
  jumps: Pick<Jumps, 'list' | 'lit' | 'onLost'>;
  /** Shows who has read the newest own message. */
  showsMarks?: boolean;
};

const keyOf = (item: MessageItemView) => item.key;
const isMessage = (item: MessageItemView) => item.kind === 'message';

/** The messages of a channel or thread as a list. Rows get plain values, so one change draws one row. */
export function MessageFeed(props: MessageFeedProps) {
  const { cid, timeline, acts, jumps, showsMarks = false, ...list } = props;
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
        highlighted={message.id === jumps.lit}
        marks={message.id === marked?.messageId ? marked.marks : undefined}
        acts={acts}
      />
    );
  };
  let feed = (
    <MessageListView
      {...list}
      ref={jumps.list}
      getKey={keyOf}
      isMessage={isMessage}
      renderItem={renderItem}
      hasMoreBefore={timeline.hasOlder}
      hasMoreAfter={timeline.hasNewer}
      loadingBefore={timeline.isLoadingOlder}
      loadingAfter={timeline.isLoadingNewer}
      onReachStart={timeline.loadOlder}
      onReachEnd={timeline.loadNewer}
      onLost={jumps.onLost}
    />
  );
  for (const { Frame } of parts) if (Frame) feed = <Frame>{feed}</Frame>;
  return feed;
}
