import { selectUserName, type VisibleMessage } from '@parley/client';
import { hasVotesLeft, ownVoteFor, type Poll, type PollOption } from '@parley/client/polls';
import { useState } from 'react';
import { useChannel } from '../../chat/use-channel.ts';
import { useRefusal } from '../../chat/use-refusal.ts';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { AvatarStack } from '../../ui/avatar.tsx';
import { IconCheck } from '../../ui/icons.tsx';
import { PollActs } from './poll-acts.tsx';
import styles from './poll-bubble.module.css';
import { rightsIn } from './rights.ts';
import { pollTexts } from './texts.ts';
import { usePolls } from './use-polls.ts';

export type PollBubbleProps = { message: VisibleMessage };
/** The most options that are shown; a button shows the others. */
const optionsShown = 10;

/** The poll of a message, with its votes, its results and its other actions. */
export function PollBubble({ message }: PollBubbleProps) {
  const text = useTexts(pollTexts);
  const { poll } = message;
  const rights = useChannel(message.cid, (state) => rightsIn(state, poll));
  const [isWhole, setWhole] = useState(false);
  if (!poll) {
    if (message.status === 'sending') return null;
    return <p className={styles.gone}>{text('deleted')}</p>;
  }
  const shown = isWhole ? poll.options : poll.options.slice(0, optionsShown);
  return (
    <section className={styles.poll} aria-label={`${text('poll')}: ${poll.name}`} data-poll={poll.id}>
      <h2 dir="auto" className={styles.question}>
        {poll.name}
      </h2>
      {poll.description !== undefined && (
        <p dir="auto" className={styles.description}>
          {poll.description}
        </p>
      )}
      <Rules poll={poll} />
      <ul className={styles.options}>
        {shown.map((option) => (
          <Option
            key={option.id}
            option={option}
            poll={poll}
            message={message}
            mayVote={rights.vote && message.status === 'sent'}
          />
        ))}
      </ul>
      {shown.length < poll.options.length && (
        <button type="button" className={styles.link} onClick={() => setWhole(true)}>
          {text('showAll', { count: poll.options.length })}
        </button>
      )}
      <PollActs poll={poll} message={message} rights={rights} />
    </section>
  );
}

function Rules({ poll }: { poll: Poll }) {
  const text = useTexts(pollTexts);
  const format = useFormat();
  const { enforce_unique_vote, max_votes_allowed, end_at } = poll;
  const several =
    max_votes_allowed === undefined ? text('chooseSome') : text('chooseUpTo', { count: max_votes_allowed });
  const parts = poll.is_closed
    ? [text('closed')]
    : [
        enforce_unique_vote ? text('chooseOne') : several,
        ...(end_at === undefined ? [] : [text('ends', { time: format.full(end_at) })]),
      ];
  if (poll.voting_visibility === 'anonymous') parts.push(text('anonymous'));
  return <p className={styles.rules}>{parts.join(' · ')}</p>;
}

type OptionProps = {
  option: PollOption;
  poll: Poll;
  message: VisibleMessage;
  mayVote: boolean;
};

const voters = (poll: Poll, { id }: PollOption) =>
  (poll.latest_votes_by_option[id] ?? []).flatMap(({ user }) =>
    user ? [{ id: user.id, name: selectUserName(user), imageUrl: user.image }] : [],
  );

function Option({ option, poll, message, mayVote }: OptionProps) {
  const text = useTexts(pollTexts);
  const polls = usePolls();
  const showRefusal = useRefusal();
  const count = poll.vote_counts_by_option[option.id] ?? 0;
  const own = ownVoteFor(poll, option.id);
  const most = Math.max(...Object.values(poll.vote_counts_by_option));
  const isBlocked = !mayVote || (own === undefined && !hasVotesLeft(poll));
  const toggle = () => {
    const run = own ? polls.unvote(message, poll.id, own.id) : polls.vote(message, poll.id, option.id);
    run.catch(showRefusal);
  };
  return (
    <li>
      <button
        type="button"
        className={styles.option}
        aria-pressed={own !== undefined}
        aria-label={text('optionLabel', { text: option.text, votes: text('votes', { count }) })}
        aria-disabled={isBlocked || undefined}
        data-single={poll.enforce_unique_vote || undefined}
        data-closed={poll.is_closed || undefined}
        data-winner={(poll.is_closed && count > 0 && count === most) || undefined}
        onClick={isBlocked ? undefined : toggle}
      >
        <span className={styles.mark} aria-hidden="true">
          {own !== undefined && <IconCheck size={14} />}
        </span>
        <span dir="auto" className={styles.text}>
          {option.text}
        </span>
        <span className={styles.people}>
          <AvatarStack people={voters(poll, option).slice(0, 3)} max={3} />
        </span>
        <span className={styles.count}>{count}</span>
        <span className={styles.track} aria-hidden="true">
          <span
            className={styles.bar}
            style={{ inlineSize: `${poll.vote_count === 0 ? 0 : (100 * count) / poll.vote_count}%` }}
          />
        </span>
      </button>
    </li>
  );
}
