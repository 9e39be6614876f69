import type { ShjGrammar } from '@speed-highlight/core/tokenize';

/**
 * HTML and XML. The library's own grammar backtracks exponentially: 46 characters (`<a b="` and 40 backslashes) hold the page
 * for ten seconds. Every pattern here ends where it cannot go on, so none of them backtracks.
 */
export const markup: ShjGrammar = [
  { type: 'cmnt', match: /<!--(?:(?!-->)[\s\S])*(?:-->)?/g },
  { match: /(?<=<script\b[^<>]{0,200}>)(?:(?!<\/script)[\s\S])+/gi, sub: 'js' },
  { match: /(?<=<style\b[^<>]{0,200}>)(?:(?!<\/style)[\s\S])+/gi, sub: 'css' },
  {
    match: /<[/!?]?[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>?/gi,
    sub: [
      { type: 'kwd', match: /^<[/!?]?[\w:-]+|[/?]?>$/g },
      { type: 'str', match: /(?<==\s{0,9})(?:"[^"]*"|'[^']*')/g },
      { type: 'var', match: /(?<![\w:@.-])[\w:@.-]{1,64}(?=\s{0,9}=)/g },
    ],
  },
  { type: 'num', match: /&(?:#x?)?[\da-z]{1,8};/gi },
];

/** A patch. The library's own grammar colours the rest of an unchanged line after any `!`. */
export const diff: ShjGrammar = [
  { type: 'section', match: /^(?:@@|diff |index |\+\+\+ |--- ).*/gm },
  { type: 'deleted', match: /^[-<].*/gm },
  { type: 'insert', match: /^[+>].*/gm },
];
