import type { Message } from '@parley/client';
import { type Called, findMentions, isMentioned, type Label, selectCalled } from '@parley/client/mentions';
import {
  createContext,
  Fragment,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
  useMemo,
  useState,
} from 'react';
import { useMe } from '../../chat/chat-provider.tsx';
import styles from './mention-text.module.css';

const Profile = lazy(async () => ({ default: (await import('./profile-popover.tsx')).ProfilePopover }));

const MentionsContext = createContext<readonly Label<Called>[]>([]);

/** Gives the texts inside the names that their message calls. */
export function MentionsOf({ message, children }: { message: Message; children: ReactNode }) {
  const called = useMemo(() => selectCalled(message), [message]);
  return called.length === 0 ? children : <MentionsContext value={called}>{children}</MentionsContext>;
}

/** A run of plain text with the names lit up that its message calls. */
export function MentionText({ text }: { text: string }) {
  const called = useContext(MentionsContext);
  if (called.length === 0 || !text.includes('@')) return text;
  const parts: ReactNode[] = [];
  let done = 0;
  for (const { start, end, value } of findMentions(text, called)) {
    parts.push(<Fragment key={done}>{text.slice(done, start)}</Fragment>);
    parts.push(<Mention key={`@${start}`} name={text.slice(start, end)} called={value} />);
    done = end;
  }
  return [...parts, <Fragment key="rest">{text.slice(done)}</Fragment>];
}

const asMessage = (called: Called) => ({
  mentioned_users: called.kind === 'user' ? [called.user] : [],
  ...(called.kind === 'role' && { mentioned_roles: [called.role] }),
  mentioned_here: called.kind === 'here',
  mentioned_channel: called.kind === 'channel',
});

function Mention({ name, called }: { name: string; called: Called }) {
  const me = useMe();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const own = (me && isMentioned(asMessage(called), me)) || undefined;
  if (called.kind !== 'user')
    return (
      <span className={styles.mention} data-own={own}>
        {name}
      </span>
    );
  return (
    <>
      <button
        type="button"
        className={styles.mention}
        data-own={own}
        aria-haspopup="dialog"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {name}
      </button>
      {anchor !== undefined && (
        <Suspense>
          <Profile user={called.user} anchor={anchor} onClose={() => setAnchor(undefined)} />
        </Suspense>
      )}
    </>
  );
}
