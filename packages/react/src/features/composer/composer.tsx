import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { errorTexts } from '../../chat/error-texts.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconCheck, IconSend, IconSmile } from '../../ui/icons.tsx';
import { offerFocus } from '../../ui/offer-focus.ts';
import { Popover } from '../../ui/popover.tsx';
import { useComposition } from '../drafts/use-composition.ts';
import { useKeptCaret } from '../drafts/use-kept-caret.ts';
import type { QuoteView } from '../messages/row/quoted-message.tsx';
import { messageTexts } from '../messages/texts.ts';
import { EmojiPicker } from '../reactions/emoji-picker.tsx';
import styles from './composer.module.css';
import { ComposerContext } from './composer-context.tsx';
import { composerIntent } from './composer-keys.ts';
import { isBlank } from './is-blank.ts';

/** Somebody who types elsewhere keeps the focus; a new place takes it from another field, not from a dialog. */
export type ComposerHandle = {
  focus: (isNewPlace?: boolean) => void;
  /** Writes at the caret, for instance an emoji. */
  insert: (text: string) => void;
};

export type ComposerProps = {
  value: string;
  onChange: (value: string) => void;
  onSend: () => void;
  /** The name of the conversation, for the placeholder. */
  to?: string;
  quote?: QuoteView | undefined;
  onCancelQuote?: () => void;
  /** The text before the edit; its presence is the edit mode. */
  editing?: string | undefined;
  onCancelEdit?: () => void;
  /** Called when a composition begins, in which several keys make one character: `value` must not change until the function that it returns is called. */
  onComposition?: (() => () => void) | undefined;
  /** Called for arrow up in the empty field. */
  onEditLast?: () => void;
  /** Called for Ctrl or Cmd with B, I or E, unless `assist` handles the key; it then does nothing else. */
  onShortcut?: (event: globalThis.KeyboardEvent) => void;
  /** The reason why nothing can be written here; its presence disables the field. */
  disabledReason?: string | undefined;
  /** The seconds of slow mode until the next message may be sent. Writing goes on meanwhile. */
  waitSeconds?: number;
  /** True when something besides text can be sent, for instance an attachment. */
  canSendEmpty?: boolean;
  /** False makes Enter a new line, as fingers expect; Ctrl or Cmd with Enter still sends. */
  enterSends?: boolean;
  /** The longest text: a longer one stays in the field, and is not sent. */
  maxLength?: number;
  /** Shown over the frame, for instance a list of completions. */
  assist?: (field: RefObject<HTMLTextAreaElement | null>) => ReactNode;
  /** Leaves most of a narrow screen to the text: no button for emojis, and `trailing` in place of a send button that can do nothing. */
  isNarrow?: boolean;
  /** Shown beside the field at its start, for instance an attach button. */
  leading?: ReactNode;
  /** Shown before the send button, for instance a menu to send later. */
  trailing?: ReactNode;
  /** Shown in place of the field and its buttons, for instance a recording. */
  instead?: ReactNode;
  /** Shown inside the frame above the field, for instance attachments. */
  children?: ReactNode;
  ref?: Ref<ComposerHandle>;
};

/** The field in which a message is written and sent. */
export function Composer(props: ComposerProps) {
  const { value, editing, quote, disabledReason } = props;
  const text = useTexts(messageTexts);
  const field = useRef<HTMLTextAreaElement>(null);
  useKeptCaret(field, value);
  const composition = useComposition(props.onComposition);
  const insert = (emoji: string) => {
    const area = field.current;
    if (area === null) return;
    area.setRangeText(emoji, area.selectionStart, area.selectionEnd, 'end');
    props.onChange(area.value);
  };
  useImperativeHandle(props.ref, () => ({
    focus: (isNewPlace) => offerFocus(field.current, isNewPlace),
    insert,
  }));

  const empty = isBlank(value);
  const left = (props.maxLength ?? Infinity) - value.length;
  const wait = editing === undefined ? (props.waitSeconds ?? 0) : 0;
  const sendable =
    disabledReason === undefined && wait === 0 && left >= 0 && (!empty || props.canSendEmpty === true);
  const cancel = cancelOf(props);

  const placeholder =
    props.to === undefined ? text('writeMessage') : text('messagePlaceholder', { name: props.to });
  return (
    <div className={styles.composer} data-composer>
      <div className={styles.frame} data-disabled={disabledReason !== undefined || undefined}>
        {props.assist?.(field)}
        <ComposerContext editing={editing} quote={quote} onCancel={cancel} />
        <Blocked reason={empty ? undefined : disabledReason} />
        {props.children}
        {props.instead}
        <div className={styles.line} hidden={Boolean(props.instead)}>
          {props.leading}
          <div
            className={styles.grow}
            data-value={`${value || (disabledReason ?? '')} `}
            data-hint={value === '' && disabledReason === undefined ? placeholder : undefined}
          >
            <textarea
              ref={field}
              dir="auto"
              rows={1}
              className={styles.field}
              value={value}
              aria-invalid={left < 0 || undefined}
              disabled={disabledReason !== undefined}
              placeholder={disabledReason ?? placeholder}
              aria-label={disabledReason ?? placeholder}
              {...composition}
              enterKeyHint={props.enterSends === false ? 'enter' : 'send'}
              onChange={(event) => props.onChange(event.target.value)}
              onKeyDown={(event) => actOnKey(event, { ...props, onCancel: cancel, sendable })}
            />
          </div>
          <CharactersLeft left={left} />
          <Buttons composer={props} sendable={sendable} wait={wait} onPick={insert} />
        </div>
      </div>
    </div>
  );
}

const cancelOf = ({ editing, quote, onCancelEdit, onCancelQuote }: ComposerProps) =>
  editing !== undefined ? onCancelEdit : quote !== undefined ? onCancelQuote : undefined;

/** The reason why the text cannot be sent; an empty field needs none. */
function Blocked({ reason }: { reason: string | undefined }) {
  if (reason === undefined) return null;
  return (
    <p role="status" className={styles.blocked}>
      {reason}
    </p>
  );
}

type KeyActions = Pick<ComposerProps, 'value' | 'enterSends' | 'onSend' | 'onEditLast' | 'onShortcut'> & {
  onCancel: (() => void) | undefined;
  sendable: boolean;
};

function actOnKey(event: KeyboardEvent<HTMLTextAreaElement>, actions: KeyActions) {
  const { nativeEvent } = event;
  const intent = composerIntent(nativeEvent, actions);
  const act = {
    send: actions.sendable ? actions.onSend : () => {},
    cancel: actions.onCancel,
    'edit-last': actions.onEditLast,
    shortcut: actions.onShortcut,
    none: undefined,
  }[intent];
  if (act === undefined) return;
  event.preventDefault();
  act(nativeEvent);
}

/** Shows how many characters are left, once they are few. */
function CharactersLeft({ left }: { left: number }) {
  const text = useTexts(messageTexts);
  if (left >= 200) return null;
  return (
    <span role="status" className={styles.left} data-over={left < 0 || undefined}>
      {left < 0 ? text('tooLong', { count: -left }) : left}
    </span>
  );
}

type ButtonsProps = {
  composer: ComposerProps;
  sendable: boolean;
  wait: number;
  onPick: (emoji: string) => void;
};

/** The buttons behind the field; none where nothing can be written. */
function Buttons({ composer, sendable, wait, onPick }: ButtonsProps) {
  const { disabledReason, trailing, editing, isNarrow } = composer;
  if (disabledReason !== undefined) return null;
  return (
    <>
      {!isNarrow && <EmojiButton onPick={onPick} />}
      {trailing}
      {!(isNarrow && trailing && !sendable && wait === 0) && (
        <SendButton
          editing={editing !== undefined}
          disabled={!sendable}
          wait={wait}
          onSend={composer.onSend}
        />
      )}
    </>
  );
}

type SendButtonProps = { editing: boolean; disabled: boolean; wait: number; onSend: () => void };

function SendButton({ editing, disabled, wait, onSend }: SendButtonProps) {
  const text = useTexts(messageTexts);
  const errorText = useTexts(errorTexts);
  return (
    <IconButton
      label={wait > 0 ? errorText('CoolDown', { count: wait }) : editing ? text('save') : text('send')}
      variant="accent"
      disabled={disabled}
      onClick={onSend}
      // Keeps the keyboard of a phone open from message to message.
      onPointerDown={(event) => event.preventDefault()}
    >
      {wait > 0 ? <span className={styles.wait}>{wait}</span> : editing ? <IconCheck /> : <IconSend />}
    </IconButton>
  );
}

function EmojiButton({ onPick }: { onPick: (emoji: string) => void }) {
  const text = useTexts(messageTexts);
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label={text('emojis')}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <IconButton label={text('addEmoji')}>
          <IconSmile />
        </IconButton>
      }
    >
      <EmojiPicker tones onPick={onPick} />
    </Popover>
  );
}
