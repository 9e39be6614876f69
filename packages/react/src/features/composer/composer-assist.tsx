import { type RefObject, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTexts } from '../../i18n/text-context.tsx';
import { useLayer } from '../../ui/layers.ts';
import { emojiTone, withTone } from '../reactions/emoji-tones.ts';
import { loadEmojis, loadedEmojis } from '../reactions/load-emojis.ts';
import { rememberEmoji } from '../reactions/recent-emojis.ts';
import { type Completion, CompletionList, optionId } from './completion-list.tsx';
import { linked, markOf, type Span, wrap } from './composer-format.ts';
import { closedEmoji, type Trigger, triggerAt } from './composer-trigger.ts';
import { completionTexts } from './late-texts.ts';
import { useCompletions } from './use-completions.tsx';
import { type MissedInput, useComboBox, useFieldListeners } from './use-field.ts';

export type ComposerAssistProps = {
  cid: string;
  field: RefObject<HTMLTextAreaElement | null>;
  value: string;
  onChange: (value: string) => void;
  missed: MissedInput;
  /** An edit is not read for commands. */
  isEditing: boolean;
};

const titles = { mention: 'mentionList', command: 'commandList', emoji: 'emojis' } as const;

const spanOf = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Span => ({
  text: value,
  start: selectionStart,
  end: selectionEnd,
});

const isSame = (a: Trigger | undefined, b: Trigger | undefined): boolean =>
  a?.kind === b?.kind && a?.start === b?.start && a?.query === b?.query;

/** The text with the emoji for a `:name:` that was just closed. */
const withEmoji = ({ value, selectionStart }: HTMLTextAreaElement): Span | undefined => {
  const closed = closedEmoji(value, selectionStart);
  const emoji = closed && loadedEmojis()?.emojiNamed(closed.name);
  if (!closed || !emoji) return undefined;
  const char = withTone(emoji.char, emojiTone());
  rememberEmoji(char);
  const head = value.slice(0, closed.start) + char;
  return { text: head + value.slice(selectionStart), start: head.length, end: head.length };
};

/** Loads the names for a `:name:` closed before they were there, and replaces it where nothing was typed since. */
const replaceLater = async (area: HTMLTextAreaElement, put: (span: Span) => void): Promise<void> => {
  const { value, selectionStart } = area;
  if (loadedEmojis() !== undefined || !closedEmoji(value, selectionStart)) return;
  await loadEmojis();
  if (area.value !== value || area.selectionStart !== selectionStart) return;
  const replaced = withEmoji(area);
  if (replaced) put(replaced);
};

/** Replaces a `:name:` that was just closed; true when it did so at once. */
const replaceEmoji = (area: HTMLTextAreaElement, put: (span: Span) => void): boolean => {
  const replaced = withEmoji(area);
  if (replaced) put(replaced);
  else replaceLater(area, put).catch(() => undefined);
  return replaced !== undefined;
};

const completed = (area: HTMLTextAreaElement, { start }: Trigger, { insert }: Completion): Span => {
  const head = `${area.value.slice(0, start)}${insert} `;
  const tail = area.value.slice(area.selectionStart).replace(/^ /, '');
  return { text: head + tail, start: head.length, end: head.length };
};

const triggerIn = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Trigger | undefined =>
  selectionStart === selectionEnd ? triggerAt(value, selectionStart) : undefined;

/** The action of a key in an open list: a step, or a choice. */
const listKey = ({
  key,
  shiftKey,
  ctrlKey,
  metaKey,
}: KeyboardEvent): number | 'close' | 'pick' | undefined => {
  if (key === 'ArrowDown') return 1;
  if (key === 'ArrowUp') return -1;
  if (key === 'Escape') return 'close';
  const isPlain = !shiftKey && !ctrlKey && !metaKey;
  return isPlain && (key === 'Tab' || key === 'Enter') ? 'pick' : undefined;
};

const isWritten = (
  area: HTMLTextAreaElement,
  trigger: Trigger | undefined,
  { insert }: Completion,
): boolean =>
  area.value.slice(trigger?.start, area.selectionStart).trimEnd().toLowerCase() === insert.toLowerCase();

/** Completes names, commands and emojis, and writes Markdown by shortcut. It listens at the field itself: keys that it
 * handles never reach the composer. */
export function ComposerAssist(props: ComposerAssistProps) {
  const { cid, field, value, onChange, isEditing } = props;
  const text = useTexts(completionTexts);
  const listId = useId();
  const [trigger, setTrigger] = useState<Trigger>();
  const [active, setActive] = useState(0);
  const isInviting = /^\/invite\s/i.test(value);
  const items = useCompletions(cid, trigger, isInviting);
  const isOpen = trigger !== undefined && items.length > 0 && value !== '';
  const at = Math.min(active, items.length - 1);
  useLayer(isOpen, () => setTrigger(undefined));

  const put = (span: Span): true => {
    // The field must hold the text before the caret is set: drawing it later would move the caret.
    flushSync(() => onChange(span.text));
    field.current?.setSelectionRange(span.start, span.end);
    return true;
  };
  const pick = (item: Completion) => {
    const area = field.current;
    if (area === null || trigger === undefined) return;
    item.onChosen?.();
    setTrigger(undefined);
    put(completed(area, trigger, item));
  };

  useFieldListeners(field, {
    missed: props.missed,
    onLook: (area, isTyped) => {
      if (isTyped && replaceEmoji(area, put)) return setTrigger(undefined);
      const next = triggerIn(area);
      if (isSame(next, trigger) || (!isTyped && next !== undefined)) return;
      setActive(0);
      setTrigger(isEditing && next?.kind === 'command' ? undefined : next);
    },
    onLeave: () => setTrigger(undefined),
    onKey: (event, area) => {
      const mark = markOf(event);
      if (mark !== undefined) return put(wrap(spanOf(area), mark));
      const item = isOpen ? items[at] : undefined;
      const act = item && listKey(event);
      if (item === undefined || act === undefined) return false;
      if (typeof act === 'number') setActive((at + act + items.length) % items.length);
      else if (act === 'close') setTrigger(undefined);
      // A word that is already complete needs no choice: Enter then sends as usual.
      else if (event.key === 'Enter' && !isInviting && isWritten(area, trigger, item)) {
        item.onChosen?.();
        setTrigger(undefined);
        return false;
      } else pick(item);
      return true;
    },
    onPaste: (pasted, area) => {
      const link = linked(spanOf(area), pasted);
      return link !== undefined && put(link);
    },
  });
  useComboBox(field, isOpen ? { listId, optionId: optionId(listId, at) } : undefined);

  if (!isOpen) return null;
  return (
    <CompletionList id={listId} label={text(titles[trigger.kind])} items={items} active={at} onPick={pick} />
  );
}
