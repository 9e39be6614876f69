import { Fragment, type ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';
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

/** A message with Markdown in it, as elements: nothing that was written becomes markup of its own. */
export function MarkdownText({ text }: { text: string }) {
  return keyed(parseMarkdown(text), drawBlock);
}
