import type { Member, ParleyClient } from '@parley/client';
import { canGrantRole, canRemoveMember } from '@parley/client/members';
import { useClient, useMe, useOwnId } from '../../chat/client-provider.tsx';
import { useChannel } from '../../chat/use-channel.ts';
import type { TextOf } from '../../i18n/text.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import type { Confirmation } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconMore } from '../../ui/icons.tsx';
import { Menu, type MenuAction } from '../../ui/menu.tsx';
import { useChannelAct } from '../channels/use-channel-act.ts';
import { useDirect } from '../channels/use-direct.ts';
import { useIsOnline } from '../presence/use-presence.ts';
import { memberName } from './member-pages.ts';
import styles from './members-panel.module.css';
import { memberTexts } from './texts.ts';

export type MemberRowProps = {
  cid: string;
  member: Member;
  isOwner: boolean;
  onOpen: ((cid: string) => void) | undefined;
  ask: (asked: Confirmation) => void;
};

const isModerator = ({ channel_role }: Member): boolean => channel_role === 'channel_moderator';

const roleOf = (member: Member, isOwner: boolean, text: TextOf<typeof memberTexts>): string | undefined => {
  if (member.invited) return text('invited');
  if (isOwner) return text('owner');
  return isModerator(member) ? text('moderator') : undefined;
};

export function MemberRow(props: MemberRowProps) {
  const { member, isOwner } = props;
  const text = useTexts(memberTexts);
  const isOwn = useOwnId() === member.user_id;
  const online = useIsOnline(member.user_id);
  const name = memberName(member);
  const role = roleOf(member, isOwner, text);
  const actions = useMemberActions(props, name, isOwn);
  return (
    <li className={styles.member}>
      <Avatar id={member.user_id} name={name} imageUrl={member.user?.image} online={online} />
      <span className={styles.words}>
        <span className={styles.line}>
          <bdi className={styles.name}>{name}</bdi>
          {isOwn && <span className={styles.detail}>{text('you')}</span>}
          {role !== undefined && (
            <span className={styles.role} data-role={member.invited ? 'invited' : 'member'}>
              {role}
            </span>
          )}
        </span>
        <span className={styles.detail}>{online ? text('online') : text('offline')}</span>
      </span>
      {actions.length > 0 && (
        <Menu
          trigger={
            <IconButton label={text('memberActions', { name })} tooltip="none" size="s">
              <IconMore />
            </IconButton>
          }
          actions={actions}
        />
      )}
    </li>
  );
}

/** The actions on another member; those on oneself are in the menu of the conversation. */
function useMemberActions(props: MemberRowProps, name: string, isOwn: boolean): MenuAction[] {
  const text = useTexts(memberTexts);
  const client = useClient();
  const openDirect = useDirect();
  const { act } = useChannelAct();
  const { cid, member, onOpen } = props;
  const me = useMe();
  const may = {
    remove: useChannel(cid, (state) => state && me && canRemoveMember(state, me, member)),
    grant: useChannel(cid, (state) => state && me && canGrantRole(state, me, member)),
  };
  if (isOwn) return [];
  const write = async () => {
    const target = await openDirect([member.user_id]);
    onOpen?.(target);
  };
  return [
    ...(onOpen ? [{ id: 'message', label: text('message'), onSelect: () => act(write) }] : []),
    ...managing({ client, props, name, act, may, text }),
  ];
}

type Act = ReturnType<typeof useChannelAct>['act'];

type Managing = {
  client: ParleyClient;
  props: MemberRowProps;
  name: string;
  act: Act;
  text: TextOf<typeof memberTexts>;
  may: { remove: boolean | undefined; grant: boolean | undefined };
};

/** Only actions that the server allows: they need the capability, and a member of a lower rank. */
const managing = ({ client, props, name, act, may, text }: Managing): MenuAction[] => {
  const { cid, member, ask } = props;
  const { members } = client;
  const ids = [member.user_id];
  const remove = () => act(() => members.remove(cid, ids));
  const withdraw: MenuAction = { id: 'withdraw', label: text('withdraw'), danger: true, onSelect: remove };
  if (member.invited) return may.remove ? [withdraw] : [];
  const role: MenuAction = isModerator(member)
    ? { id: 'demote', label: text('demote'), onSelect: () => act(() => members.demoteModerators(cid, ids)) }
    : {
        id: 'promote',
        label: text('makeModerator'),
        onSelect: () => act(() => members.addModerators(cid, ids)),
      };
  const confirmation = {
    title: text('removeTitle', { name }),
    hint: text('removeHint'),
    label: text('remove'),
    onConfirm: remove,
  };
  const removal: MenuAction = {
    id: 'remove',
    label: text('remove'),
    danger: true,
    onSelect: () => ask(confirmation),
  };
  return [...(may.grant ? [role] : []), ...(may.remove ? [removal] : [])];
};
