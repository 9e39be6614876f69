import type { ChannelState } from '@parley/client';
import { useState } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import { useChannel } from '../../chat/use-channel.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { isDirect } from '../channels/channel-view.ts';
import { useChannelAct } from '../channels/use-channel-act.ts';
import { useDirect } from '../channels/use-direct.ts';
import { usePeopleSearch } from '../channels/use-people-search.ts';
import { PeoplePicker } from '../users/people-picker.tsx';
import styles from './members-panel.module.css';
import { memberTexts } from './texts.ts';

const memberIdsOf = (state: ChannelState | undefined) => state?.members.map(({ user_id }) => user_id) ?? [];
const peopleIdsOf = (state: ChannelState | undefined) =>
  state?.channel.direct_members?.map(({ id }) => id) ?? memberIdsOf(state);

/** Whether others join only by a new conversation: what the people of this one wrote was for them alone. */
export const hasFixedPeople = (state: ChannelState | undefined): boolean =>
  state?.channel.direct_members !== undefined || isDirect(state);

export type AddMembersProps = {
  cid: string;
  onDone: () => void;
  /** Opens the new group of the people here and the chosen ones, where nobody can be added. */
  onOpen: ((cid: string) => void) | undefined;
};

/** Adds people at once, or invites them; to a direct conversation by a new group of all of them. */
export function AddMembers({ cid, onDone, onOpen }: AddMembersProps) {
  const { members } = useClient();
  const openDirect = useDirect();
  const text = useTexts(memberTexts);
  const search = usePeopleSearch(true);
  const here = useChannel(cid, peopleIdsOf);
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
        {onOpen ? (
          <Button
            variant="primary"
            disabled={disabled}
            onClick={() => act(async () => onOpen(await openDirect([...here, ...chosen])))}
          >
            {text('createGroup')}
          </Button>
        ) : (
          <>
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
          </>
        )}
      </div>
    </div>
  );
}
