import { type ChannelQuery, type ChannelState, selectUserName } from '@parley/client';
import { useClient } from '../../chat/client-provider.tsx';
import { useChannel } from '../../chat/use-channel.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { ChannelAvatar } from './channel-avatar.tsx';
import styles from './channel-life.module.css';
import { selectFace } from './channel-view.ts';
import { lateChannelTexts } from './late-texts.ts';
import { useChannelAct } from './use-channel-act.ts';
import { useChannelList } from './use-channel-list.ts';

const pending: ChannelQuery = { filter: { invite: 'pending' }, limit: 20, messageLimit: 1 };

export type ChannelInvitesProps = {
  /** Called when an invitation was accepted. */
  onAccepted: (cid: string) => void;
};

/** The invitations that the user has not answered; draws nothing where there are none. */
export function ChannelInvites({ onAccepted }: ChannelInvitesProps) {
  const text = useTexts(lateChannelTexts);

  const { cids } = useChannelList(pending, false);
  if (cids.length === 0) return null;
  return (
    <section className={styles.invites} aria-label={text('invites')}>
      <h2 className={styles.heading}>{text('invites')}</h2>
      <ul>
        {cids.map((cid) => (
          <Invite key={cid} cid={cid} onAccepted={onAccepted} />
        ))}
      </ul>
    </section>
  );
}

/** The name of the user who sent the invitation; of the creator where it is older than that was stored. */
const inviterOf = ({ membership, members, channel }: ChannelState): string | undefined => {
  const id = membership?.invited_by_id ?? channel.created_by?.id;
  const user = members.find(({ user_id }) => user_id === id)?.user ?? channel.created_by;
  return user?.id === id && user ? selectUserName(user) : undefined;
};

type InviteProps = { cid: string; onAccepted: (cid: string) => void };

function Invite({ cid, onAccepted }: InviteProps) {
  const text = useTexts(lateChannelTexts);
  const { members } = useClient();
  const { act, isBusy } = useChannelAct();
  const view = useChannel(cid, (state) =>
    state?.membership?.invited ? { face: selectFace(state), by: inviterOf(state) } : undefined,
  );
  if (view === undefined) return null;
  const { face, by } = view;
  return (
    <li className={styles.invite}>
      <ChannelAvatar face={face} />
      <span dir="auto" className={styles.invited}>
        <span className={styles.invitedTo} title={face.title}>
          {face.title}
        </span>
        {by !== undefined && <span className={styles.inviter}>{text('invitedBy', { name: by })}</span>}
      </span>
      <Button
        size="s"
        aria-label={text('rejectNamed', { name: face.title })}
        disabled={isBusy}
        onClick={() => act(() => members.rejectInvite(cid))}
      >
        {text('reject')}
      </Button>
      <Button
        size="s"
        variant="primary"
        aria-label={text('acceptNamed', { name: face.title })}
        disabled={isBusy}
        onClick={() =>
          act(
            () => members.acceptInvite(cid),
            () => onAccepted(cid),
          )
        }
      >
        {text('accept')}
      </Button>
    </li>
  );
}
