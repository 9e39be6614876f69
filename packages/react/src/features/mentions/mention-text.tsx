import type { Message } from '@parley/client';
import { type Called, findMentions, isMentioned, type Label, selectCalled } from '@parley/client/mentions';
import { Fragment, type ReactNode, useMemo, useState } from 'react';
import { useMe } from '../../chat/client-provider.tsx';
import { useChannel } from '../../chat/use-channel.ts';
import { PlainText } from '../../markdown/plain-text.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import styles from './mention-text.module.css';

const Profile = lazyPart(async () => (await import('./profile-popover.tsx')).ProfilePopover);

/** The most mentions that are marked: each is an element of its own. */
const mostMarked = 200;

type Names = { called: readonly Label<Called>[]; cid: string };

/** Gives the texts inside it the mentions of their message. */
export function MentionsOf({ message, children }: { message: Message; children: ReactNode }) {
  const draw = useMemo(() => {
    const names = { called: selectCalled(message), cid: message.cid };
    return names.called.length === 0
      ? undefined
      : (text: string) => (text.includes('@') ? <MentionText text={text} {...names} /> : text);
  }, [message]);
  return draw === undefined ? children : <PlainText value={draw}>{children}</PlainText>;
}

/** A run of plain text with its mentions highlighted. */
function MentionText({ text, called, cid }: Names & { text: string }) {
  const parts: ReactNode[] = [];
  let done = 0;
  for (const { start, end, value } of findMentions(text, called).slice(0, mostMarked)) {
    parts.push(<Fragment key={done}>{text.slice(done, start)}</Fragment>);
    parts.push(<Mention key={`@${start}`} name={text.slice(start, end)} called={value} cid={cid} />);
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

function Mention({ name, called, cid }: { name: string; called: Called; cid: string }) {
  const me = useMe();
  const channelRole = useChannel(cid, (state) => state?.membership?.channel_role);
  const [anchor, setAnchor] = useState<HTMLElement>();
  const own = (me && isMentioned(asMessage(called), me, channelRole)) || undefined;
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
        <Profile user={called.user} anchor={anchor} onClose={() => setAnchor(undefined)} />
      )}
    </>
  );
}
