import type { ReactNode } from 'react';
import { inOrder } from '../ui/in-order.ts';
import { CodeBlock } from './code-block.tsx';
import { ExternalLink, LinkedText } from './linked-text.tsx';
import { type Block, type Inline, parseMarkdown } from './markdown.ts';
import styles from './markdown-text.module.css';

const inlineTags = { strong: 'strong', em: 'em', del: 'del' } as const;

function drawInline(node: Inline): ReactNode {
  if (typeof node === 'string') return <LinkedText text={node} />;
  if (node.kind === 'code') return <code className={styles.code}>{node.text}</code>;
  if (node.kind === 'link') {
    return <ExternalLink href={node.href}>{inOrder(node.children, drawInLink)}</ExternalLink>;
  }
  const Tag = inlineTags[node.kind];
  return <Tag>{inOrder(node.children, drawInline)}</Tag>;
}

/** An address inside a link is only its words. */
const drawInLink = (node: Inline): ReactNode => {
  if (typeof node === 'string') return node;
  if (node.kind === 'code' || node.kind === 'link') return drawInline(node);
  const Tag = inlineTags[node.kind];
  return <Tag>{inOrder(node.children, drawInLink)}</Tag>;
};

const drawItem = (blocks: readonly Block[]): ReactNode => <li>{inOrder(blocks, drawBlock)}</li>;

function drawBlock(block: Block): ReactNode {
  if (block.kind === 'text') {
    return (
      <span dir="auto" className={styles.paragraph}>
        {inOrder(block.children, drawInline)}
      </span>
    );
  }
  if (block.kind === 'code') return <CodeBlock text={block.text} language={block.language} />;
  if (block.kind === 'quote') {
    return (
      <blockquote dir="auto" className={styles.quote}>
        {inOrder(block.blocks, drawBlock)}
      </blockquote>
    );
  }
  const List = block.start === undefined ? 'ul' : 'ol';
  return (
    <List dir="auto" className={styles.list} data-sign={block.sign} start={block.start}>
      {inOrder(block.items, drawItem)}
    </List>
  );
}

/** A message with Markdown in it, as elements: nothing that was written becomes markup of its own. */
export function MarkdownText({ text }: { text: string }) {
  return inOrder(parseMarkdown(text), drawBlock);
}
