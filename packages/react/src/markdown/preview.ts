import { type Block, type Inline, parseMarkdown } from './markdown.ts';

/** Marks further in are not looked for: a preview shows the first words. */
const mostRead = 2000;
const mostShown = 400;

const inline = (node: Inline): string => {
  if (typeof node === 'string') return node;
  return node.kind === 'code' ? node.text : node.children.map(inline).join('');
};

const words = (blocks: readonly Block[]): string => blocks.map(wordsOf).join('\n');

function wordsOf(block: Block): string {
  if (block.kind === 'text') return block.children.map(inline).join('');
  if (block.kind === 'code') return block.text;
  if (block.kind === 'quote') return words(block.blocks);
  const { start, sign, items } = block;
  return items
    .map((item, index) => `${start === undefined ? '' : `${start + index}${sign} `}${words(item)}`)
    .join('\n');
}

/** A text in one line, for places that draw no Markdown: its words without the marks, by the rules of messages. */
export const previewOf = (text: string): string => {
  const all = words(parseMarkdown(text.slice(0, mostRead)));
  return all.replaceAll(/\s+/g, ' ').trim().slice(0, mostShown);
};

export function ExactPreview({ text }: { text: string }): string {
  return previewOf(text);
}
