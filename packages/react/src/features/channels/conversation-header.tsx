import type { ChannelState } from '@parley/client';
import type { ReactNode } from 'react';
import { ChannelHeader } from '../../chat/channel-header.tsx';
import { useChannel } from '../../chat/use-channel.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { useIsOnline, useOnlineCount } from '../presence/use-presence.ts';
import { ChannelAvatar } from './channel-avatar.tsx';
import { type ChannelFace, selectFace } from './channel-view.ts';
import { channelTexts } from './texts.ts';

export type ConversationHeaderProps = {
  cid: string;
  actions?: ReactNode;
  onBack?: (() => void) | undefined;
  onOpenDetails?: (() => void) | undefined;
};

const unloaded: ChannelFace = { id: '', title: '', imageUrl: undefined, kind: 'place', people: [] };
const faceOf = (state: ChannelState | undefined) => (state ? selectFace(state) : unloaded);

/** The header of a conversation: its name and picture, with presence. */
export function ConversationHeader({ cid, actions, onBack, onOpenDetails }: ConversationHeaderProps) {
  const face = useChannel(cid, faceOf);
  return (
    <ChannelHeader
      name={face.title}
      avatar={<ChannelAvatar face={face} />}
      detail={face.kind === 'direct' ? <PersonDetail id={face.id} /> : <PeopleDetail cid={cid} />}
      actions={actions}
      {...(onBack && { onBack })}
      {...(onOpenDetails && { onOpenDetails })}
    />
  );
}

function PersonDetail({ id }: { id: string }) {
  const text = useTexts(channelTexts);
  return useIsOnline(id) ? text('online') : text('offline');
}

const memberIdsOf = (state: ChannelState | undefined) => state?.members.map(({ user_id }) => user_id) ?? [];

/** Set by `/topic`; custom data, so it may be anything. */
const topicOf = (state: ChannelState | undefined): string | undefined => {
  const channel: (ChannelState['channel'] & { topic?: unknown }) | undefined = state?.channel;
  const topic = channel?.topic;
  return typeof topic === 'string' ? topic : undefined;
};

function PeopleDetail({ cid }: { cid: string }) {
  const text = useTexts(channelTexts);
  const ids = useChannel(cid, memberIdsOf);
  const members = useChannel(cid, (state) => state?.channel.member_count ?? 0);
  const watching = useChannel(cid, (state) => state?.watcherCount ?? 0);
  const loadedOnline = useOnlineCount(ids);
  const topic = useChannel(cid, topicOf);
  // Of a large channel only some members are loaded: the number of watchers is then the better guess.
  const online = ids.length < members ? Math.max(loadedOnline, Math.min(watching, members)) : loadedOnline;
  if (topic !== undefined) return topic;
  const words = text('memberCount', { count: members });
  return online > 0 ? `${words} · ${text('onlineCount', { count: online })}` : words;
}
