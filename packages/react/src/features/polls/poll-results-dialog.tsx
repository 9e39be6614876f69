import { selectUserName } from '@parley/client';
import type { Poll, PollOption, PollVote } from '@parley/client/polls';
import { useState } from 'react';
import { useFormat, useText } from '../../i18n/text-context.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconBack } from '../../ui/icons.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { fill, type PollsTexts, votesText } from './english.ts';
import styles from './poll-results-dialog.module.css';
import { useVotes, type VoteList } from './use-votes.ts';

export type ResultsView = { kind: 'all' } | { kind: 'comments' } | { kind: 'option'; optionId: string };

type Props = { poll: Poll; first: ResultsView; texts: PollsTexts; onClose: () => void };

/** How a poll stands: every option with who chose it, and what people said besides. Live while it is open. */
export function PollResultsDialog({ poll, first, texts, onClose }: Props) {
  const text = useText();
  const [view, setView] = useState(first);
  const option = view.kind === 'option' ? poll.options.find(({ id }) => id === view.optionId) : undefined;
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={view.kind === 'comments' ? texts.comments : texts.resultsTitle}
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
        <Comments poll={poll} texts={texts} />
      ) : option ? (
        <OptionVoters poll={poll} option={option} texts={texts} />
      ) : (
        <AllOptions poll={poll} texts={texts} onOpen={setView} />
      )}
    </Dialog>
  );
}

type AllProps = { poll: Poll; texts: PollsTexts; onOpen: (view: ResultsView) => void };

function AllOptions({ poll, texts, onOpen }: AllProps) {
  const byCount = poll.options.toSorted((a, b) => countOf(poll, b) - countOf(poll, a));
  return (
    <div className={styles.all}>
      {byCount.map((option) => (
        <OptionResult key={option.id} poll={poll} option={option} texts={texts} onOpen={onOpen} />
      ))}
      {poll.answers_count > 0 && (
        <Button wide onClick={() => onOpen({ kind: 'comments' })}>
          {texts.comments} ({poll.answers_count})
        </Button>
      )}
    </div>
  );
}

const countOf = (poll: Poll, { id }: PollOption): number => poll.vote_counts_by_option[id] ?? 0;

function OptionResult({ poll, option, texts, onOpen }: AllProps & { option: PollOption }) {
  const count = countOf(poll, option);
  const latest = poll.latest_votes_by_option[option.id] ?? [];
  const isAnonymous = poll.voting_visibility === 'anonymous';
  return (
    <section className={styles.option} aria-label={option.text}>
      <OptionHead poll={poll} option={option} texts={texts} />
      {!isAnonymous && latest.length > 0 && <Voters votes={latest} texts={texts} />}
      {!isAnonymous && count > latest.length && (
        <Button size="s" variant="quiet" onClick={() => onOpen({ kind: 'option', optionId: option.id })}>
          {fill(texts.everyVoter, { n: count })}
        </Button>
      )}
    </section>
  );
}

function OptionHead({ poll, option, texts }: { poll: Poll; option: PollOption; texts: PollsTexts }) {
  const count = countOf(poll, option);
  const share = poll.vote_count === 0 ? 0 : Math.round((100 * count) / poll.vote_count);
  return (
    <h3 className={styles.heading}>
      <span dir="auto" className={styles.text}>
        {option.text}
      </span>
      <span className={styles.count}>
        {votesText(texts, count)} · {share} %
      </span>
    </h3>
  );
}

function OptionVoters({ poll, option, texts }: { poll: Poll; option: PollOption; texts: PollsTexts }) {
  const list = useVotes({ pollId: poll.id, optionId: option.id, version: countOf(poll, option) });
  return (
    <section className={styles.option} aria-label={option.text}>
      <OptionHead poll={poll} option={option} texts={texts} />
      <Voters votes={list.votes} texts={texts} />
      <ListEnd list={list} texts={texts} empty={texts.nobody} />
    </section>
  );
}

function Comments({ poll, texts }: { poll: Poll; texts: PollsTexts }) {
  const list = useVotes({ pollId: poll.id, version: poll.version });
  return (
    <section aria-label={texts.comments}>
      <Voters votes={list.votes} texts={texts} />
      <ListEnd list={list} texts={texts} empty={texts.noComments} />
    </section>
  );
}

function ListEnd({ list, texts, empty }: { list: VoteList; texts: PollsTexts; empty: string }) {
  if (list.status === 'loading') return <Spinner size={20} />;
  if (list.status === 'failed') return <p role="alert">{texts.couldNotLoad}</p>;
  if (list.hasMore)
    return (
      <Button size="s" variant="quiet" onClick={list.loadMore}>
        {texts.more}
      </Button>
    );
  return list.votes.length === 0 ? <p className={styles.none}>{empty}</p> : null;
}

function Voters({ votes, texts }: { votes: readonly PollVote[]; texts: PollsTexts }) {
  const format = useFormat();
  return (
    <ul className={styles.voters}>
      {votes.map((vote) => {
        const name = vote.user ? selectUserName(vote.user) : (vote.user_id ?? texts.someone);
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
