import {
  type ChannelState,
  selectChannelTitle,
  selectUserName,
  type User,
  type VisibleMessage,
} from '@parley/client';
import type { TextOf } from '../../i18n/text.ts';
import { summaryOf } from '../../summary/message-summary.ts';
import type { attachmentTexts } from '../../summary/texts.ts';
import type { AvatarPerson } from '../../ui/avatar.tsx';

export const personOf = (user: Pick<User, 'id' | 'name' | 'image'>): AvatarPerson => ({
  id: user.id,
  name: selectUserName(user),
  imageUrl: user.image,
});

export type ChannelFace = {
  id: string;
  title: string;
  imageUrl: string | undefined;
  /** A conversation of two, a group of people, or a channel with a name. */
  kind: 'direct' | 'group' | 'place';
  people: readonly AvatarPerson[];
};

/** The name and the pictures of a channel, as the reader sees it. */
export const selectFace = (state: ChannelState): ChannelFace => {
  const { channel, members, ownId } = state;
  const all = channel.direct_members ?? members.flatMap(({ user }) => user ?? []);
  const others = all.filter(({ id }) => id !== ownId);
  const isPair = channel.direct_members ? all.length <= 2 : channel.member_count <= 2 && others.length === 1;
  const other = channel.name === undefined && isPair ? (others[0] ?? all[0]) : undefined;
  return {
    id: other?.id ?? channel.id,
    title: selectChannelTitle(state),
    imageUrl: channel.image ?? other?.image,
    kind: other ? 'direct' : channel.type === 'messaging' && others.length > 1 ? 'group' : 'place',
    people: others.slice(0, 2).map(personOf),
  };
};

/** A conversation of two: nobody owns it, leaves it or joins it. */
export const isDirect = (state: ChannelState | undefined): boolean =>
  state !== undefined && selectFace(state).kind === 'direct';

export type ChannelPreview = {
  /** The text as it was typed: `ChannelListItem` shows it in one line, without marks. */
  text: string | undefined;
  author: string | undefined;
  isOwn: boolean;
  isDeleted: boolean;
  at: string | undefined;
};

const isPreviewable = ({ type, silent }: VisibleMessage): boolean =>
  type !== 'ephemeral' && type !== 'error' && !silent;

/** The preview of the last message in a channel, whatever part of it is loaded. */
export const selectPreview = (state: ChannelState, text: TextOf<typeof attachmentTexts>): ChannelPreview => {
  const last = state.tail ?? state.messages.findLast(isPreviewable);
  const hasAuthor = last !== undefined && last.type !== 'system' && last.type !== 'deleted';
  return {
    text: last && summaryOf(last, text),
    author: hasAuthor && last.user ? selectUserName(last.user) : undefined,
    isOwn: last?.user?.id === state.ownId,
    isDeleted: last?.type === 'deleted',
    at: state.channel.last_message_at ?? last?.created_at,
  };
};
