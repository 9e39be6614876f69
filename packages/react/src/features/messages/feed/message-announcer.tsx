import { isInChannel, type Message } from '@parley/client';
import { useEffect, useState } from 'react';
import { useClient } from '../../../chat/client-provider.tsx';
import { useFormat, useTexts } from '../../../i18n/text-context.tsx';
import { summaryOf } from '../../../summary/message-summary.ts';
import { attachmentTexts } from '../../../summary/texts.ts';
import { Announcer } from '../../../ui/announcer.tsx';
import { messageTexts } from '../texts.ts';
import { announcement } from './announcement.ts';

const pause = 1000;

/** Announces the messages of others to screen readers, coalesced for a second. */
export function MessageAnnouncer({ cid }: { cid: string }) {
  const client = useClient();
  const text = useTexts(messageTexts);
  const carriedText = useTexts(attachmentTexts);
  const { list } = useFormat();
  const [words, setWords] = useState('');
  useEffect(() => {
    let waiting: Message[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const announce = async () => {
      // Marks are not read out, unless their reader cannot be loaded.
      const { previewOf } = await import('../../../markdown/preview.ts').catch(() => ({ previewOf: String }));
      const words = (message: Message) => previewOf(summaryOf(message, carriedText));
      const news = waiting;
      setWords((last) => announcement(news, { text, list, words, last }));
      waiting = [];
    };
    const stop = client.on('message.new', ({ message }) => {
      const isMine = message.user?.id === client.me.get()?.id;
      if (message.cid !== cid || isMine || !isInChannel(message)) return;
      // One that comes while the reader is loaded is announced with the first: alone it would find nothing to announce, and clear the words.
      if (waiting.push(message) === 1) timer = setTimeout(announce, pause);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client, cid, text, carriedText, list]);
  return <Announcer text={words} />;
}
