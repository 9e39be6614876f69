import type { ChannelState } from '@parley/client';
import { useState } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import { useChannel } from '../../chat/use-channel.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { useChannelAct } from '../channels/use-channel-act.ts';
import { usePeopleSearch } from '../channels/use-people-search.ts';
import { PeoplePicker } from '../users/people-picker.tsx';
import styles from './members-panel.module.css';
import { memberTexts } from './texts.ts';

const memberIdsOf = (state: ChannelState | undefined) => state?.members.map(({ user_id }) => user_id) ?? [];

export type AddMembersProps = { cid: string; onDone: () => void };

/** Adds people at once, or invites them. */
export function AddMembers({ cid, onDone }: AddMembersProps) {
  const { members } = useClient();
  const text = useTexts(memberTexts);
  const search = usePeopleSearch(true);
  const here = useChannel(cid, memberIdsOf);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { act, isBusy } = useChannelAct();
  const disabled = chosen.length === 0 || isBusy;
  return (
    <div className={styles.adding}>
      <PeoplePicker
        people={search.people.filter(({ id }) => !here.includes(id))}
        selected={chosen}
        onChange={setChosen}
        onSearch={search.setQuery}
        searching={search.isBusy}
      />
      <div className={styles.buttons}>
        <Button variant="quiet" onClick={onDone}>
          {text('cancel')}
        </Button>
        <Button disabled={disabled} onClick={() => act(() => members.invite(cid, [...chosen]), onDone)}>
          {text('invite')}
        </Button>
        <Button
          variant="primary"
          disabled={disabled}
          onClick={() => act(() => members.add(cid, [...chosen]), onDone)}
        >
          {text('add')}
        </Button>
      </div>
    </div>
  );
}
