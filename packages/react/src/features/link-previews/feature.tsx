import { supplier } from '../../ui/collect.tsx';
import type { ComposerPart } from '../composer/composer-parts.ts';
import type { MessagePart } from '../messages/message-parts.ts';
import { ComposerLinks } from './composer-links.tsx';
import { linksOf } from './message-links.tsx';

export const linkPreviews: MessagePart & ComposerPart = {
  name: 'link-previews',
  below: linksOf,
  Addition: supplier(({ mayWrite, ...state }) => ({ tray: mayWrite && <ComposerLinks {...state} /> })),
};
