import { Avatar, GroupAvatar } from '../../ui/avatar.tsx';
import { useIsOnline } from '../presence/use-presence.ts';
import type { ChannelFace } from './channel-view.ts';

export type ChannelAvatarProps = { face: ChannelFace; size?: 'm' | 'l' };

/** The other person with their presence, two faces of a group, or a hash. */
export function ChannelAvatar({ face, size = 'm' }: ChannelAvatarProps) {
  const { id, title, imageUrl, kind, people } = face;
  const online = useIsOnline(kind === 'direct' ? id : undefined);
  if (kind === 'group' && imageUrl === undefined) return <GroupAvatar people={people} size={size} />;
  return (
    <Avatar
      id={id}
      name={title}
      imageUrl={imageUrl}
      size={size}
      kind={kind === 'place' ? 'channel' : 'person'}
      online={kind === 'direct' ? online : undefined}
    />
  );
}
