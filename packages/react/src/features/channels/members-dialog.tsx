import { canManageMembers, type Member, type ParleyClient, selectUserName } from '@parley/client';
import { useEffect, useState } from 'react';
import { useClient, useMe } from '../../chat/chat-provider.tsx';
import { useText } from '../../i18n/text-context.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconMore } from '../../ui/icons.tsx';
import { Menu, type MenuAction } from '../../ui/menu.tsx';
import { useIsOnline } from '../presence/use-presence.ts';
import { PeoplePicker } from '../users/people-picker.tsx';
import styles from './channel-life.module.css';
import type { ChannelLifeTexts } from './channel-life-english.ts';
import { useChannel } from './use-channel.ts';
import { useChannelAct } from './use-channel-act.ts';
import { usePeopleSearch } from './use-people-search.ts';

export type MembersDialogProps = { cid: string; onClose: () => void; words: ChannelLifeTexts };

/** Who is in a conversation, and who may be let in. */
export function MembersDialog({ cid, onClose, words }: MembersDialogProps) {
  const text = useText();
  const [isAdding, setAdding] = useState(false);
  const mayManage = useChannel(cid, (state) => state !== undefined && canManageMembers(state));
  const count = useChannel(cid, (state) => state?.channel.member_count ?? 0);
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={isAdding ? words.addPeople : text('memberCount', { n: count })}
    >
      {isAdding ? (
        <AddPeople cid={cid} onDone={() => setAdding(false)} words={words} />
      ) : (
        <>
          {mayManage && (
            <Button wide onClick={() => setAdding(true)}>
              {words.addPeople}
            </Button>
          )}
          <MemberList cid={cid} mayManage={mayManage} words={words} />
        </>
      )}
    </Dialog>
  );
}

const pageOf = { limit: 100, sort: [{ field: 'name', direction: 1 as const }] };

/** The members by name, asked for anew whenever somebody comes, goes or changes. */
function useMemberPages(cid: string) {
  const client = useClient();
  const [state, setState] = useState<{ members: readonly Member[]; next?: string | undefined }>();
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const stops = (['member.added', 'member.updated', 'member.removed'] as const).map((type) =>
      client.on(type, (event) => {
        if (event.cid === cid) setVersion((known) => known + 1);
      }),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, cid]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is another question
  useEffect(() => {
    let isOver = false;
    client.members.query(cid, pageOf).then(
      (page) => !isOver && setState(page),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [client, cid, version]);
  const more = async () => {
    if (!state?.next) return;
    const page = await client.members.query(cid, { ...pageOf, next: state.next });
    setState({ members: [...state.members, ...page.members], next: page.next });
  };
  return { members: state?.members ?? [], hasMore: state?.next !== undefined, more };
}

type ListProps = { cid: string; mayManage: boolean; words: ChannelLifeTexts };

function MemberList({ cid, mayManage, words }: ListProps) {
  const { members, hasMore, more } = useMemberPages(cid);
  const ownerId = useChannel(cid, (state) => state?.channel.created_by?.id);
  return (
    <ul className={styles.list} aria-label={words.members}>
      {members.map((member) => (
        <MemberRow
          key={member.user_id}
          cid={cid}
          member={member}
          isOwner={member.user_id === ownerId}
          mayManage={mayManage}
          words={words}
        />
      ))}
      {hasMore && (
        <li>
          <Button wide onClick={() => void more()}>
            {words.more}
          </Button>
        </li>
      )}
    </ul>
  );
}

const roleOf = (member: Member, isOwner: boolean, words: ChannelLifeTexts): string | undefined => {
  if (member.invited) return words.invited;
  if (isOwner) return words.owner;
  return member.channel_role === 'channel_moderator' ? words.moderator : undefined;
};

/** What may be done to another member. */
const actionsFor = (client: ParleyClient, cid: string, member: Member, words: ChannelLifeTexts) => {
  const isModerator = member.channel_role === 'channel_moderator';
  const ids = [member.user_id];
  const { members } = client;
  return (act: (run: () => Promise<unknown>) => void): MenuAction[] => [
    isModerator
      ? { id: 'demote', label: words.demote, onSelect: () => act(() => members.demoteModerators(cid, ids)) }
      : {
          id: 'promote',
          label: words.makeModerator,
          onSelect: () => act(() => members.addModerators(cid, ids)),
        },
    { id: 'remove', label: words.remove, danger: true, onSelect: () => act(() => members.remove(cid, ids)) },
  ];
};

type RowProps = ListProps & { member: Member; isOwner: boolean };

function MemberRow({ cid, member, isOwner, mayManage, words }: RowProps) {
  const client = useClient();
  const text = useText();
  const ownId = useMe()?.id;
  const { act } = useChannelAct();
  const online = useIsOnline(member.user_id);
  const name = member.user ? selectUserName(member.user) : member.user_id;
  const role = roleOf(member, isOwner, words);
  return (
    <li className={styles.member}>
      <Avatar id={member.user_id} name={name} imageUrl={member.user?.image} online={online} />
      <span className={styles.words}>
        <span dir="auto" className={styles.name}>
          {name}
        </span>
        <span className={styles.detail}>
          {[role, online ? text('online') : text('offline')].filter(Boolean).join(' · ')}
        </span>
      </span>
      {mayManage && member.user_id !== ownId && (
        <Menu
          trigger={
            <IconButton label={words.memberActions.replace('{name}', name)} tooltip="none" size="s">
              <IconMore />
            </IconButton>
          }
          actions={actionsFor(client, cid, member, words)(act)}
        />
      )}
    </li>
  );
}

function AddPeople({ cid, onDone, words }: { cid: string; onDone: () => void; words: ChannelLifeTexts }) {
  const { members } = useClient();
  const text = useText();
  const search = usePeopleSearch(true);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { act, isBusy } = useChannelAct();
  const disabled = chosen.length === 0 || isBusy;
  return (
    <div className={styles.form}>
      <PeoplePicker
        people={search.people}
        selected={chosen}
        onChange={setChosen}
        onSearch={search.setQuery}
        searching={search.isBusy}
      />
      <div className={styles.buttons}>
        <Button onClick={onDone}>{text('cancel')}</Button>
        <Button disabled={disabled} onClick={() => act(() => members.invite(cid, [...chosen]), onDone)}>
          {words.invite}
        </Button>
        <Button
          variant="primary"
          disabled={disabled}
          onClick={() => act(() => members.add(cid, [...chosen]), onDone)}
        >
          {words.add}
        </Button>
      </div>
    </div>
  );
}
