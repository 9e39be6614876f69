import { Fragment, type ReactNode, useState } from 'react';
import { useText } from '../../i18n/text-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconCheck, IconCopy } from '../../ui/icons.tsx';
import { ExternalLink, LinkedText } from './linked-text.tsx';
import { type Block, type Inline, parseMarkdown } from './markdown.ts';
import styles from './markdown-text.module.css';

const inlineTags = { strong: 'strong', em: 'em', del: 'del' } as const;

// The text does not change under its keys: a place in it is as good a name as any.
const keyed = <T,>(list: readonly T[], draw: (item: T) => ReactNode): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  list.map((item, index) => <Fragment key={index}>{draw(item)}</Fragment>);

function drawInline(node: Inline): ReactNode {
  if (typeof node === 'string') return <LinkedText text={node} />;
  if (node.kind === 'code') return <code className={styles.code}>{node.text}</code>;
  if (node.kind === 'link') {
    return <ExternalLink href={node.href}>{keyed(node.children, drawInLink)}</ExternalLink>;
  }
  const Tag = inlineTags[node.kind];
  return <Tag>{keyed(node.children, drawInline)}</Tag>;
}

/** An address inside a link is only its words. */
const drawInLink = (node: Inline): ReactNode => {
  if (typeof node === 'string') return node;
  if (node.kind === 'code' || node.kind === 'link') return drawInline(node);
  const Tag = inlineTags[node.kind];
  return <Tag>{keyed(node.children, drawInLink)}</Tag>;
};

function drawBlock(block: Block): ReactNode {
  if (block.kind === 'text') {
    return (
      <span dir="auto" className={styles.paragraph}>
        {keyed(block.children, drawInline)}
      </span>
    );
  }
  if (block.kind === 'code') return <CodeBlock text={block.text} language={block.language} />;
  if (block.kind === 'quote') {
    return (
      <blockquote dir="auto" className={styles.quote}>
        {keyed(block.blocks, drawBlock)}
      </blockquote>
    );
  }
  const List = block.start === undefined ? 'ul' : 'ol';
  return (
    <List dir="auto" className={styles.list} start={block.start}>
      {block.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change under its keys
        <li key={index}>{keyed(item, drawBlock)}</li>
      ))}
    </List>
  );
}

const shownFor = 1500;

function CodeBlock({ text, language }: { text: string; language: string }) {
  const say = useText();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), shownFor);
  };
  return (
    <div className={styles.block} data-language={language || undefined}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre dir="ltr" tabIndex={0}>
        <code>{text}</code>
      </pre>
      <IconButton
        className={styles.copy}
        size="s"
        label={say(isCopied ? 'copied' : 'copyCode')}
        onClick={() => void copy().catch(() => {})}
      >
        {isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </IconButton>
    </div>
  );
}

/** A message with Markdown in it, as elements: nothing that was written becomes markup of its own. */
export function MarkdownText({ text }: { text: string }) {
  return keyed(parseMarkdown(text), drawBlock);
}
