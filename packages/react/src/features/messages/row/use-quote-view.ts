import { type Message, selectUserName } from '@parley/client';
import { useOwnId } from '../../../chat/client-provider.tsx';
import { useTexts } from '../../../i18n/text-context.tsx';
import { summaryOf } from '../../../summary/message-summary.ts';
import { attachmentTexts } from '../../../summary/texts.ts';
import type { QuoteView } from './quoted-message.tsx';

type Quoted = Pick<Message, 'user' | 'type'> & Parameters<typeof summaryOf>[0];

/** A quoted message as it is drawn, above a message and above the composer. */
export function useQuoteView(quoted: Quoted | undefined): QuoteView | undefined {
  const text = useTexts(attachmentTexts);
  const ownId = useOwnId();
  return (
    quoted && {
      authorName: quoted.user ? selectUserName(quoted.user) : '',
      own: quoted.user?.id === ownId,
      text: summaryOf(quoted, text),
      deleted: quoted.type === 'deleted',
    }
  );
}
