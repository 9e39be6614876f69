import { useEffect, useState } from 'react';
import { useText } from '../../i18n/text-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconCheck, IconCopy } from '../../ui/icons.tsx';
import { inOrder } from '../../ui/in-order.ts';
import styles from './code-block.module.css';
import type { highlightCode } from './code-highlight.ts';

/** Longer code is shown in one colour: each piece is an element. */
const mostCharacters = 6000;
const shownFor = 1500;

let loaded: typeof highlightCode | undefined;

/** The colours come with the first block that names its language; until then the code stands as it was typed. */
function useHighlight(isWanted: boolean) {
  const [highlight, setHighlight] = useState(() => loaded);
  useEffect(() => {
    if (!isWanted || loaded !== undefined) return;
    let isOver = false;
    const take = (module: { highlightCode: typeof highlightCode }) => {
      loaded = module.highlightCode;
      if (!isOver) setHighlight(() => module.highlightCode);
    };
    import('./code-highlight.ts').then(take, () => undefined);
    return () => {
      isOver = true;
    };
  }, [isWanted]);
  return isWanted ? highlight : undefined;
}

type Token = NonNullable<ReturnType<typeof highlightCode>>[number];

const drawToken = ({ kind, text }: Token) =>
  kind === undefined ? text : <span className={styles[kind]}>{text}</span>;

export function CodeBlock({ text, language }: { text: string; language: string }) {
  const tokens = useHighlight(language !== '' && text.length <= mostCharacters)?.(text, language);
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
  const say = useText();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownFor);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <IconButton
      className={styles.copy}
      size="s"
      label={say(isCopied ? 'copied' : 'copyCode')}
      onClick={() => void copy().catch(() => {})}
    >
      {isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
    </IconButton>
  );
}
