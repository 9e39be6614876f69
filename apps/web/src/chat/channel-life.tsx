import { lazyPart, useIsFirstScreenReady, useTexts } from '@parley/react';
import { latePanel } from '@parley/react/late-panel';
import { appTexts } from '../app/texts.ts';
import styles from './channel-life.module.css';

/** Holds the place of the buttons until they are there: one that came later would push another under the pointer. */
function ToolsPlace() {
  return <span className={styles.tools} />;
}

// Loaded apart: it is not needed to read the first message.
const Tools = lazyPart(
  async () => {
    const { ChannelTools, loadPopups } = await import('@parley/react/channels');
    await loadPopups();
    return ChannelTools;
  },
  { Waiting: ToolsPlace, Missing: ToolsPlace },
);
const LateInvites = lazyPart(async () => (await import('@parley/react/channels')).ChannelInvites, {
  Missing: () => null,
});

const useMembersName = () => useTexts(appTexts)('members');
export const MembersPanel = latePanel(
  async () => (await import('@parley/react/members')).MembersPanel,
  useMembersName,
);

const useMediaName = () => useTexts(appTexts)('media');
export const MediaPanel = latePanel(
  async () => (await import('@parley/react/attachments')).MediaPanel,
  useMediaName,
);

export type ChannelToolsProps = {
  cid: string;
  onClose: () => void;
  onMembers: () => void;
  onMedia: () => void;
};

export function ChannelTools(props: ChannelToolsProps) {
  return useIsFirstScreenReady() ? <Tools key={props.cid} {...props} /> : <ToolsPlace />;
}

export function Invites({ onAccepted }: { onAccepted: (cid: string) => void }) {
  return useIsFirstScreenReady() && <LateInvites onAccepted={onAccepted} />;
}
