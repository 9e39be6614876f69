import { useEffect, useMemo, useState } from 'react';
import { useTexts } from '../i18n/text-context.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { IconCheck, IconCopy, IconWarning } from '../ui/icons.tsx';
import { inOrder } from '../ui/in-order.ts';
import styles from './code-block.module.css';
import type { CodeToken, Highlighter } from './code-highlight.ts';
import { markdownTexts } from './texts.ts';

const copiedMs = 1500;

const loaded = new Map<string, Highlighter>();

/** Loads the colours of a language with the first block that names it; until then the block shows its code as plain text. */
function useHighlighter(language: string): Highlighter | undefined {
  const [, setArrived] = useState('');
  useEffect(() => {
    if (language === '' || loaded.has(language)) return;
    let isOver = false;
    const load = async () => {
      const highlighter = await (await import('./code-highlight.ts')).loadHighlighter(language);
      if (highlighter === undefined) return;
      loaded.set(language, highlighter);
      if (!isOver) setArrived(language);
    };
    // Code without colours is complete: a chunk that does not arrive is no failure to show.
    load().catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [language]);
  return loaded.get(language);
}

const drawToken = ({ kind, text }: CodeToken) =>
  kind === undefined ? text : <span className={styles[kind]}>{text}</span>;

export function CodeBlock({ text, language }: { text: string; language: string }) {
  const highlight = useHighlighter(language);
  const tokens = useMemo(() => highlight?.(text), [highlight, text]);
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        <span dir="ltr">{language}</span>
        <CopyButton text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide code scrolls, and without a stop here only by pointer */}
      <pre dir="ltr" tabIndex={0}>
        <code>{tokens ? inOrder(tokens, drawToken) : text}</code>
      </pre>
    </div>
  );
}

function CopyButton({ text }: { text: string }) {
  const textOf = useTexts(markdownTexts);
  const [outcome, setOutcome] = useState<'copied' | 'notCopied'>();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), copiedMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setOutcome('copied');
  };
  // A finger has no tooltip: the icon shows the outcome too.
  const Icon = outcome === 'copied' ? IconCheck : outcome ? IconWarning : IconCopy;
  return (
    <IconButton
      className={styles.copy}
      size="s"
      label={textOf(outcome ?? 'copyCode')}
      onClick={() => void copy().catch(() => setOutcome('notCopied'))}
    >
      <Icon size={16} />
    </IconButton>
  );
}
