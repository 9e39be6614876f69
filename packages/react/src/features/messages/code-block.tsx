import { useEffect, useState } from 'react';
import { useText } from '../../i18n/text-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconCheck, IconCopy } from '../../ui/icons.tsx';
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

export function CodeBlock({ text, language }: { text: string; language: string }) {
  const tokens = useHighlight(language !== '' && text.length <= mostCharacters)?.(text, language);
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        <span dir="ltr">{language}</span>
        <CopyButton text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre dir="ltr" tabIndex={0}>
        <code>
          {tokens?.map(({ kind, text: piece }, index) =>
            kind === undefined ? (
              piece
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: code does not change under its keys
              <span key={index} className={styles[kind]}>
                {piece}
              </span>
            ),
          ) ?? text}
        </code>
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
