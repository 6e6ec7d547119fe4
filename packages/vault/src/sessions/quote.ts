import {
  escapeInvisible,
  findFrontmatter,
  formatNumberedLines,
  formatPath,
  rootFiles,
  splitLines,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { truncateText } from './transcript.ts';

const wideCharacters = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** A token is estimated as four characters, and as one where the script has a character for a word or syllable. */
export function estimateTokens(text: string): number {
  const wide = text.match(wideCharacters)?.length ?? 0;
  return Math.ceil((text.length - wide) / 4 + wide);
}

/** Whole parts, in order, as far as they fit. */
export function fitWithin(parts: readonly string[], tokens: number): string {
  let text = '';
  for (const part of parts) if (estimateTokens(`${text}${part}\n`) <= tokens) text += `${part}\n`;
  return text;
}

/** Removes lines from the end until the text has at most this many bytes in UTF-8. */
export function cutAtLine(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const kept: string[] = [];
  let bytes = 0;
  for (const line of text.split('\n')) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBytes + 1) break;
    kept.push(line);
  }
  return kept.join('\n');
}

export type NumberedLine = { line: string; number: number };

const maxLineLength = 300;

/** A header with as many numbered lines as fit; null if there are none. */
export function quoteLines(head: string, lines: readonly NumberedLine[], tokens: number): string | null {
  const shown: string[] = [];
  for (const { line, number } of lines) {
    const next = formatNumberedLines([truncateText(line, maxLineLength)], number);
    if (estimateTokens([head, ...shown, next].join('\n')) > tokens) break;
    shown.push(next);
  }
  while (/^\d+ *\|$/.test(shown.at(-1) ?? '')) shown.pop();
  return shown.length === 0 ? null : [head, ...shown].join('\n');
}

/** Headings of the sections about how to work with the user, which a model needs first. */
const workingStyle =
  /^#{1,6}\s.*(?:prefer|préf|respond|répon|answer|style|tone|ton\b|work with|working|travaill|how to|comment)/iu;

/**
 * Quotes the start of a note without frontmatter, comments and leading blank lines. Null for a note that contains nothing else, as in a
 * new vault. `first` chooses sections to quote before the others.
 */
export function quoteStart(
  path: VaultPath,
  text: string | null,
  tokens: number,
  { prefersStyle = false } = {},
): string | null {
  if (text === null) return null;
  const bodyStart = findFrontmatter(text)?.bodyStart ?? 0;
  const skipped = splitLines(text.slice(0, bodyStart)).length;
  const lines = splitLines(text.slice(0, bodyStart) + hideComments(text.slice(bodyStart)))
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line, number }) => number > skipped && line !== hidden);
  const first = lines.findIndex(({ line }) => line.trim() !== '');
  if (first === -1 || isTemplate(lines.map(({ line }) => line).join('\n'))) return null;
  const updated = /^updated: (\d{4}-\d{2}-\d{2})/m.exec(text.slice(0, bodyStart))?.[1];
  const head = `${formatPath(path)}${updated === undefined ? '' : ` (${updated})`}`;
  const body = lines.slice(first);
  return quoteLines(head, prefersStyle ? styleFirst(body) : body, tokens);
}

/** Stands for a line that contains only a comment, or part of one. */
const hidden = '\0';

function hideComments(text: string): string {
  return text.replaceAll(/^[ \t]*<!--[\s\S]*?-->[ \t]*$/gm, (comment) =>
    comment.replaceAll(/[^\n]+/g, hidden).replaceAll(/(?<=^|\n)(?=\n)/g, hidden),
  );
}

const templates = new Set(
  Object.values(rootFiles).flatMap((files) => Object.values(files).map(({ body }) => body.trim())),
);

function isTemplate(body: string): boolean {
  return templates.has(body.trim());
}

/** Moves the sections about the working style to the top; the others follow in their order. */
function styleFirst(lines: readonly NumberedLine[]): NumberedLine[] {
  let isStyle = false;
  const groups = Map.groupBy(lines, ({ line }) => {
    if (/^#{1,6}\s/.test(line)) isStyle = workingStyle.test(line);
    return isStyle;
  });
  const chosen = (groups.get(true) ?? []).filter(({ line }) => line.trim() !== '');
  return [...chosen, ...(groups.get(false) ?? [])];
}

/** Quotes words that are in no numbered line. */
export function quoteWords(text: string): string {
  return splitLines(text)
    .filter((line) => line.trim() !== '')
    .map((line) => `  | ${escapeInvisible(line.trimEnd())}`)
    .join('\n');
}
