import type { VisibleMessage } from '@parley/client';
import type { ReactNode } from 'react';
import { hasLinks, sortAttachments } from '../../summary/kinds.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { formOfLink } from '../attachments/placeholder-sizes.ts';
import styles from '../attachments/placeholders.module.css';

type Props = { message: VisibleMessage };

const LinksOf = lazyPart<Props>(async () => (await import('./link-cards.tsx')).LinkCards, {
  Waiting: LinksWaiting,
  Missing: () => null,
});

/** The link cards below the text of a message, or undefined. */
export const linksOf = (message: VisibleMessage): ReactNode =>
  hasLinks(message.attachments) ? <LinksOf message={message} /> : undefined;

function LinksWaiting({ message }: Props) {
  return (
    <div className={styles.links}>
      {sortAttachments(message.attachments).links.map((link, index) => (
        <div key={`link-${String(index)}`} className={styles.link} data-form={formOfLink(link)} />
      ))}
    </div>
  );
}
