import type { EarlyTyping } from './early-typing.ts';

/** How long the composer may take to get the focus, after the app is drawn. */
const longestMs = 3000;

/** The letters that are typed while a kept page is shown. */
export type KeptTyping = EarlyTyping & {
  /** The path and the search of the kept page. */
  address: string;
};

/** The part of a document that is used. */
type Page = Pick<Document, 'activeElement'> & {
  location: Pick<Location, 'pathname' | 'search'>;
  addEventListener: (
    type: 'focusin' | 'pointerdown',
    listener: (event: Pick<Event, 'target'>) => void,
    options: AddEventListenerOptions,
  ) => void;
};

type Target = EventTarget | null;

const isField = (element: Target): element is HTMLTextAreaElement => element instanceof HTMLTextAreaElement;

/** True for the composer of the conversation; that of a thread is in the panel beside it. */
const isOfMain = (field: HTMLTextAreaElement): boolean => field.closest('main') !== null;

const write = (field: HTMLTextAreaElement, letters: string): void => {
  const end = field.value.length;
  field.setRangeText(letters, end, end, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

/**
 * Writes the letters that were typed before the app ran into its composer, behind a draft, when that takes the focus. Until then all
 * letters are kept. They are dropped if another element takes it first, or the app shows another place than the kept page did: nobody
 * knows what they were for. Beside a thread that is open there are two composers, and the one that comes first may be the wrong one.
 */
export const handOver = (page: Page, typing: KeptTyping | undefined): void => {
  if (!typing) return;
  if (/[?&]thread=/.test(typing.address)) return void typing.take();
  const over = new AbortController();
  const end = (element: Target) => {
    over.abort();
    clearTimeout(timer);
    const letters = typing.take();
    const { pathname, search } = page.location;
    if (letters === '' || `${pathname}${search}` !== typing.address) return;
    if (isField(element) && isOfMain(element)) write(element, letters);
  };
  const timer = setTimeout(() => end(null), longestMs);
  const onAct = ({ target }: Pick<Event, 'target'>) => end(target);
  if (isField(page.activeElement)) end(page.activeElement);
  for (const type of ['focusin', 'pointerdown'] as const)
    page.addEventListener(type, onAct, { capture: true, signal: over.signal });
};
