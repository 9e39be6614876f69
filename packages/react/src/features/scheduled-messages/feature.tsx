import { lazyPart } from '../../ui/lazy-part.tsx';
import type { ComposerPart } from '../composer/composer-parts.ts';
import { isBlank } from '../composer/is-blank.ts';
import type { SendLaterProps } from './send-later.tsx';

const SendLater = lazyPart<SendLaterProps>(async () => (await import('./send-later.tsx')).SendLater, {
  Missing: () => null,
});

export const scheduledMessages: ComposerPart = {
  name: 'scheduled-messages',
  useAddition: ({ cid, parentId, composer }) => {
    const { draft, carried } = composer;
    const hasContent = carried.isEnough || !isBlank(draft.text);
    return { trailing: hasContent && <SendLater {...{ cid, parentId, composer }} /> };
  },
};
