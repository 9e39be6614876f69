import { createContext, type ReactNode } from 'react';
import type { Supplier } from '../../ui/collect.tsx';
import type { MenuAction } from '../../ui/menu.tsx';
import type { ComposerControls } from './use-composer.ts';

/** The channel or thread of a composer, and its draft. */
export type ComposerPlace = {
  cid: string;
  parentId?: string | undefined;
  composer: ComposerControls;
  onSent?: (() => void) | undefined;
};

export type ComposerState = ComposerPlace & {
  /** True where the user may write. */
  mayWrite: boolean;
  /** True on a screen too narrow for further buttons beside the field: an entry of the menu takes their place. */
  isNarrow: boolean;
  /** The seconds of slow mode until the next message may be sent. */
  wait: number;
};

/** The elements that a part adds to one composer in this render. */
export type ComposerAddition = {
  /** An entry of the menu beside the field. */
  entry?: MenuAction | undefined;
  /** Elements beside that menu: hidden inputs, and dialogs. */
  leading?: ReactNode;
  /** Shown before the send button. */
  trailing?: ReactNode;
  /** Shown in place of the field. */
  instead?: ReactNode;
  /** Shown above the field. */
  tray?: ReactNode;
};

/** An addition of another feature to composers. `features/all.tsx` lists them, in the order in which they are drawn. */
export type ComposerPart = {
  name: string;
  Addition: Supplier<ComposerState, ComposerAddition>;
};

export const ComposerParts = createContext<readonly ComposerPart[]>([]);
