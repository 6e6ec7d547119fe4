import { renderLink } from '../html/link-rules.ts';
import { escapeInline, escapeMarkdown } from '../markdown/escape-markdown.ts';
import { superscript } from '../markdown/superscript.ts';
import { lineBreak } from '../markdown/tidy-markdown.ts';
import type { TextSpan } from './merge-lines.ts';

type SpanOptions = { isPlain?: boolean };

/**
 * Writes spans as markdown. `isPlain` omits bold, italics and code, as in headings, which have a style of their own.
 */
export function writePieces(pieces: readonly TextSpan[], { isPlain = false }: SpanOptions = {}): string {
  return pieces
    .map((piece, index) => writePiece(piece, index === 0, isPlain))
    .join('')
    .trim();
}

export function plainText(pieces: readonly TextSpan[]): string {
  return pieces
    .map(({ text }) => text)
    .join('')
    .trim();
}

function writePiece(piece: TextSpan, isFirst: boolean, isPlain: boolean): string {
  const [, before = '', words = '', after = ''] = /^(\s*)([^]*?)(\s*)$/.exec(piece.text) ?? [];
  if (words === '') return breaks(piece.text);
  return `${breaks(before)}${write(piece, words, isFirst, isPlain)}${breaks(after)}`;
}

function write(piece: TextSpan, words: string, isFirst: boolean, isPlain: boolean): string {
  if (piece.isRaised) return superscript(words);
  if (piece.isMono && !isPlain && !words.includes('`')) return `\`${words.replaceAll('\n', ' ')}\``;
  const text = breaks(isFirst ? escapeMarkdown(words) : escapeInline(words));
  const marks = `${piece.isBold && !isPlain ? '**' : ''}${piece.isItalic && !isPlain ? '*' : ''}`;
  const marked = marks === '' ? text : `${marks}${text}${marks}`;
  return piece.link === undefined ? marked : renderLink(marked, piece.link);
}

function breaks(text: string): string {
  return text.replaceAll(/ ?\n ?/g, `${lineBreak}\n`);
}
