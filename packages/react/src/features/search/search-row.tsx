import { type Channel, selectChannelTitle, selectUserName } from '@parley/client';
import type { MessageHit } from '@parley/client/search';
import type { ReactNode } from 'react';
import { useClient, useOwnId } from '../../chat/client-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { previewOf } from '../../markdown/preview.ts';
import { summaryOf } from '../../summary/message-summary.ts';
import { attachmentTexts } from '../../summary/texts.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Dotted } from '../../ui/dotted.tsx';
import { piecesOf, type SearchOption } from './search-options.ts';
import styles from './search-panel.module.css';
import { searchTexts } from './texts.ts';

export type SearchRowProps = {
  id: string;
  option: SearchOption;
  active: boolean;
  onChoose: (option: SearchOption) => void;
};

/** One result. The field keeps the focus and names the active row, so the row handles no keys. */
export function SearchRow({ id, option, active, onChoose }: SearchRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter and the arrows are taken by the field, which keeps the focus
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      data-active={active || undefined}
      className={styles.row}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(option)}
    >
      <RowContent option={option} />
    </div>
  );
}

function RowContent({ option }: Pick<SearchRowProps, 'option'>) {
  const text = useTexts(searchTexts);
  if (option.kind === 'more') return <span className={styles.more}>{text('more')}</span>;
  if (option.kind === 'message') return <MessageContent hit={option.hit} />;
  if (option.kind === 'channel') return <ChannelContent channel={option.channel} />;
  const { user } = option;
  const name = selectUserName(user);
  return (
    <Line
      avatar={<Avatar id={user.id} name={name} imageUrl={user.image} online={user.online} />}
      title={name}
    />
  );
}

function Line({ avatar, title, children }: { avatar: ReactNode; title: string; children?: ReactNode }) {
  return (
    <>
      {avatar}
      <span className={styles.words}>
        <span dir="auto" className={styles.title}>
          {title}
        </span>
        {children}
      </span>
    </>
  );
}

function ChannelContent({ channel }: { channel: Channel }) {
  const ownId = useOwnId() ?? '';
  const name = selectChannelTitle({ channel, members: [], ownId });
  const avatar = <Avatar id={channel.id} name={name} imageUrl={channel.image} kind="channel" />;
  return <Line avatar={avatar} title={name} />;
}

function MessageContent({ hit }: { hit: MessageHit }) {
  const { message, snippet } = hit;
  const client = useClient();
  const format = useFormat();
  const text = useTexts(searchTexts);
  const carriedText = useTexts(attachmentTexts);
  const state = useReadable(client.channels.state(message.cid));
  const place = state ? selectChannelTitle(state) : hit.place;
  const name = message.user ? selectUserName(message.user) : '';
  return (
    <Line
      avatar={<Avatar id={message.user?.id ?? ''} name={name} imageUrl={message.user?.image} />}
      title={name}
    >
      <span className={styles.when}>
        <Dotted
          parts={[
            place,
            message.parent_id !== undefined && text('inThread'),
            <time key="at" dateTime={message.created_at}>
              {format.day(message.created_at)}
            </time>,
          ]}
        />
      </span>
      <span dir="auto" className={styles.snippet}>
        {snippet.text === '' && previewOf(summaryOf(message, carriedText))}
        {piecesOf(snippet.text, snippet.matches).map(({ key, text: piece, isMatch }) =>
          isMatch ? <mark key={key}>{piece}</mark> : piece,
        )}
      </span>
    </Line>
  );
}
