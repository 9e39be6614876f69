import type { ComposerControls } from './use-composer.ts';

/** Where something is written, for what stands beside the field. */
export type ComposerPlace = { cid: string; parentId?: string | undefined; composer: ComposerControls };
