import { canAddMembers } from '@parley/client/members';
import { useState } from 'react';
import { ChannelHeader } from '../../chat/channel-header.tsx';
import { useChannel, useChannelTitle } from '../../chat/use-channel.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { type Confirmation, ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconInfo, IconPlus, IconSearch } from '../../ui/icons.tsx';
import { useLayer } from '../../ui/layers.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useEscape } from '../../ui/use-escape.ts';
import { whenReached } from '../../ui/when-reached.ts';
import { isDirect } from '../channels/channel-view.ts';
import { channelTexts } from '../channels/texts.ts';
import { AddMembers, hasFixedPeople } from './add-members.tsx';
import { MemberRow } from './member-row.tsx';
import styles from './members-panel.module.css';
import { memberTexts } from './texts.ts';
import { useMembers } from './use-members.ts';

export type MembersPanelProps = {
  cid: string;
  onClose: () => void;
  /** Opens a conversation, here the direct one with a member. */
  onOpen?: ((cid: string) => void) | undefined;
};

/** The members of a conversation in a side panel; users with the capability add, promote and remove them. */
export function MembersPanel({ cid, onClose, onOpen }: MembersPanelProps) {
  const text = useTexts(memberTexts);
  const channelText = useTexts(channelTexts);
  const [isAdding, setAdding] = useState(false);
  const isPair = useChannel(cid, isDirect);
  const isFixed = useChannel(cid, hasFixedPeople);
  const mayAdd = useChannel(cid, (state) => state !== undefined && canAddMembers(state));
  const count = useChannel(cid, (state) => state?.channel.member_count ?? 0);
  const title = useChannelTitle(cid);
  const adding = isFixed ? text('newGroup', { names: title }) : text('addPeople');
  const listed = isPair ? text('people') : channelText('memberCount', { count });
  const leave = isAdding ? () => setAdding(false) : onClose;
  useEscape(leave);
  useLayer(isAdding, () => setAdding(false));
  return (
    <>
      <ChannelHeader
        name={isAdding ? adding : listed}
        detail={isAdding && isFixed ? text('newGroupHint') : title}
        onBack={leave}
        onClose={onClose}
      />
      {isAdding ? (
        <AddMembers cid={cid} onDone={() => setAdding(false)} onOpen={isFixed ? onOpen : undefined} />
      ) : (
        <MemberList
          cid={cid}
          addLabel={(isFixed ? onOpen : mayAdd) && adding}
          onAdd={() => setAdding(true)}
          onOpen={onOpen}
        />
      )}
    </>
  );
}

type ListProps = {
  cid: string;
  /** The label of the button that adds people; none without it. */
  addLabel: string | false | undefined;
  onAdd: () => void;
  onOpen: MembersPanelProps['onOpen'];
};

function MemberList({ cid, addLabel, onAdd, onOpen }: ListProps) {
  const text = useTexts(memberTexts);
  const [query, setQuery] = useState('');
  const [asked, setAsked] = useState<Confirmation>();
  const list = useMembers(cid, query.trim());
  const ownerId = useChannel(cid, (state) => (isDirect(state) ? undefined : state?.channel.created_by?.id));
  const isCounted = useChannel(cid, (state) => state?.channel.fidelity !== undefined);
  return (
    <>
      <div className={styles.tools}>
        <TextField
          type="search"
          label={text('searchMembers')}
          hideLabel
          placeholder={text('searchMembers')}
          value={query}
          onChange={setQuery}
          leading={<IconSearch size={18} />}
          trailing={list.isSearching && <Spinner size={16} />}
        />
        {addLabel && (
          <Button wide icon={<IconPlus size={18} />} onClick={onAdd}>
            {addLabel}
          </Button>
        )}
        {isCounted && (
          <p className={styles.note}>
            <IconInfo size={16} />
            {text('counted')}
          </p>
        )}
      </div>
      <ul className={styles.list} aria-label={text('members')}>
        {list.members.map((member) => (
          <MemberRow
            key={member.user_id}
            cid={cid}
            member={member}
            isOwner={member.user_id === ownerId}
            onOpen={onOpen}
            ask={setAsked}
          />
        ))}
        <End list={list} />
      </ul>
      <ConfirmDialog asked={asked} onClose={() => setAsked(undefined)} />
    </>
  );
}

/** The end of the list: a button for more members, or the reason why there are none. */
function End({ list }: { list: ReturnType<typeof useMembers> }) {
  const text = useTexts(memberTexts);
  if (list.status === 'failed') {
    return (
      <li className={styles.end} role="alert">
        {text('couldNotLoad')}
        <Button onClick={list.retry}>{text('retry')}</Button>
      </li>
    );
  }
  if (list.status === 'loading') {
    return (
      <li className={styles.end}>
        <Spinner size={20} />
      </li>
    );
  }
  if (list.members.length === 0 && !list.isSearching)
    return <li className={styles.end}>{text('nobodyFound')}</li>;
  if (!list.hasMore) return null;
  return <More onMore={list.more} label={text('more')} />;
}

/** Loads the next page when its button comes near; the button is for users who do not scroll. */
function More({ onMore, label }: { onMore: () => Promise<void>; label: string }) {
  const watch = (element: HTMLLIElement) =>
    whenReached(element, () => void onMore(), { root: element.parentElement, rootMargin: '300px' });
  return (
    <li ref={watch} className={styles.end}>
      <Button onClick={() => void onMore()}>{label}</Button>
    </li>
  );
}
