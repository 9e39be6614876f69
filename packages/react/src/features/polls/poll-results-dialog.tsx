import { selectUserName } from '@parley/client';
import type { Poll, PollOption, PollVote } from '@parley/client/polls';
import { useState } from 'react';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconBack } from '../../ui/icons.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import styles from './poll-results-dialog.module.css';
import { pollTexts } from './texts.ts';
import { useVotes, type VoteList } from './use-votes.ts';

export type ResultsView = { kind: 'all' } | { kind: 'comments' } | { kind: 'option'; optionId: string };

type Props = { poll: Poll; first: ResultsView; onClose: () => void };

/** The results of a poll: every option with its voters, and the comments. Live while it is open. */
export function PollResultsDialog({ poll, first, onClose }: Props) {
  const text = useTexts(pollTexts);
  const [view, setView] = useState(first);
  const option = view.kind === 'option' ? poll.options.find(({ id }) => id === view.optionId) : undefined;
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={view.kind === 'comments' ? text('comments') : text('resultsTitle')}
      description={poll.name}
    >
      {view.kind !== first.kind && (
        <Button
          size="s"
          variant="quiet"
          icon={<IconBack size={16} />}
          onClick={() => setView({ kind: 'all' })}
        >
          {text('back')}
        </Button>
      )}
      {view.kind === 'comments' ? (
        <Comments poll={poll} />
      ) : option ? (
        <OptionVoters poll={poll} option={option} />
      ) : (
        <AllOptions poll={poll} onOpen={setView} />
      )}
    </Dialog>
  );
}

type AllProps = { poll: Poll; onOpen: (view: ResultsView) => void };

function AllOptions({ poll, onOpen }: AllProps) {
  const text = useTexts(pollTexts);
  const byCount = poll.options.toSorted((a, b) => countOf(poll, b) - countOf(poll, a));
  return (
    <div className={styles.all}>
      {byCount.map((option) => (
        <OptionResult key={option.id} poll={poll} option={option} onOpen={onOpen} />
      ))}
      {poll.answers_count > 0 && (
        <Button wide onClick={() => onOpen({ kind: 'comments' })}>
          {text('comments')} ({poll.answers_count})
        </Button>
      )}
    </div>
  );
}

const countOf = (poll: Poll, { id }: PollOption): number => poll.vote_counts_by_option[id] ?? 0;

function OptionResult({ poll, option, onOpen }: AllProps & { option: PollOption }) {
  const text = useTexts(pollTexts);
  const count = countOf(poll, option);
  const latest = poll.latest_votes_by_option[option.id] ?? [];
  const isAnonymous = poll.voting_visibility === 'anonymous';
  return (
    <section className={styles.option} aria-label={option.text}>
      <OptionHead poll={poll} option={option} />
      {!isAnonymous && latest.length > 0 && <Voters votes={latest} />}
      {!isAnonymous && count > latest.length && (
        <Button size="s" variant="quiet" onClick={() => onOpen({ kind: 'option', optionId: option.id })}>
          {text('everyVoter', { count })}
        </Button>
      )}
    </section>
  );
}

function OptionHead({ poll, option }: { poll: Poll; option: PollOption }) {
  const text = useTexts(pollTexts);
  const count = countOf(poll, option);
  const share = poll.vote_count === 0 ? 0 : Math.round((100 * count) / poll.vote_count);
  return (
    <h3 className={styles.heading}>
      <span dir="auto" className={styles.text}>
        {option.text}
      </span>
      <span className={styles.count}>
        {text('votes', { count })} · {share} %
      </span>
    </h3>
  );
}

function OptionVoters({ poll, option }: { poll: Poll; option: PollOption }) {
  const text = useTexts(pollTexts);
  const list = useVotes({ pollId: poll.id, optionId: option.id, version: countOf(poll, option) });
  return (
    <section className={styles.option} aria-label={option.text}>
      <OptionHead poll={poll} option={option} />
      <Voters votes={list.votes} />
      <ListEnd list={list} empty={text('nobody')} />
    </section>
  );
}

function Comments({ poll }: { poll: Poll }) {
  const text = useTexts(pollTexts);
  const list = useVotes({ pollId: poll.id, version: poll.version });
  return (
    <section aria-label={text('comments')}>
      <Voters votes={list.votes} />
      <ListEnd list={list} empty={text('noComments')} />
    </section>
  );
}

function ListEnd({ list, empty }: { list: VoteList; empty: string }) {
  const text = useTexts(pollTexts);
  if (list.status === 'loading') return <Spinner size={20} />;
  if (list.status === 'failed') return <p role="alert">{text('couldNotLoad')}</p>;
  if (list.hasMore)
    return (
      <Button size="s" variant="quiet" onClick={list.loadMore}>
        {text('more')}
      </Button>
    );
  return list.votes.length === 0 ? <p className={styles.none}>{empty}</p> : null;
}

function Voters({ votes }: { votes: readonly PollVote[] }) {
  const text = useTexts(pollTexts);
  const format = useFormat();
  return (
    <ul className={styles.voters}>
      {votes.map((vote) => {
        const name = vote.user ? selectUserName(vote.user) : (vote.user_id ?? text('someone'));
        return (
          <li key={vote.id} className={styles.voter}>
            {vote.user_id !== undefined && (
              <Avatar id={vote.user_id} name={name} imageUrl={vote.user?.image} size="s" />
            )}
            <span className={styles.words}>
              <span dir="auto" className={styles.name}>
                {name}
              </span>
              {vote.answer_text !== undefined && <span dir="auto">{vote.answer_text}</span>}
            </span>
            <time className={styles.time} dateTime={vote.updated_at}>
              {format.short(vote.updated_at)}
            </time>
          </li>
        );
      })}
    </ul>
  );
}
