import { lazyPart, useFirstScreenStands } from '@parley/react';

// Loaded apart: it is not needed to read the first message.
const Tools = lazyPart(async () => (await import('@parley/react/channels')).ChannelTools);
const LateInvites = lazyPart(async () => (await import('@parley/react/channels')).ChannelInvites);

export const MembersPanel = lazyPart(async () => (await import('@parley/react/members')).MembersPanel);

export const MediaPanel = lazyPart(async () => (await import('@parley/react/media')).MediaPanel);

export type ChannelToolsProps = {
  cid: string;
  onClose: () => void;
  onMembers: () => void;
  onMedia: () => void;
};

export function ChannelTools(props: ChannelToolsProps) {
  return useFirstScreenStands() && <Tools key={props.cid} {...props} />;
}

export function Invites({ onAccepted }: { onAccepted: (cid: string) => void }) {
  return useFirstScreenStands() && <LateInvites onAccepted={onAccepted} />;
}
