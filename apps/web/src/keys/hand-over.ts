/** How long the composer may take to get the focus, after the app is drawn. */
const longestMs = 3000;

/** The part of a document that is used. */
type Page = Pick<Document, 'activeElement'> & {
  addEventListener: (
    type: 'focusin',
    listener: (event: Pick<Event, 'target'>) => void,
    options: AddEventListenerOptions,
  ) => void;
};

const isComposer = (element: EventTarget | null): element is HTMLTextAreaElement =>
  element instanceof HTMLTextAreaElement;

const write = (field: HTMLTextAreaElement, letters: string): void => {
  const end = field.value.length;
  field.setRangeText(letters, end, end, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

/** Writes the letters that were typed before the app ran into its composer, behind a draft, when that takes the focus. If another
 * element takes it first, they are dropped: nobody knows what they were for. */
export const handOver = (page: Page, letters: string): void => {
  if (letters === '') return;
  const take = (element: EventTarget | null) => isComposer(element) && write(element, letters);
  if (isComposer(page.activeElement)) take(page.activeElement);
  else
    page.addEventListener('focusin', ({ target }) => take(target), {
      once: true,
      signal: AbortSignal.timeout(longestMs),
    });
};
