import {
  findFrontmatter,
  findStatus,
  formatPath,
  replaceStatus,
  rootFiles,
  splitLines,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { estimateTokens } from './estimate-tokens.ts';
import type { Part } from './fill-parts.ts';
import { estimateSentence, fitSentences, formatSentences, splitSentences } from './sentences.ts';

/** Headings of the sections about how to work with the user, which a model needs first. */
const workingStyle =
  /^#{1,6}\s.*(?:prefer|préf|respond|répon|answer|style|tone|ton\b|work with|working|travaill|how to|comment)/iu;

/**
 * Quotes the start of a note without frontmatter, status, comments and blank lines, and says where the rest is. Its result
 * is null for a note that contains nothing else, as in a new vault.
 */
export function quoteStart(
  path: VaultPath,
  text: string | null,
  restAt: (place: string) => string,
  { prefersStyle = false } = {},
): Part['quote'] {
  if (text === null) return () => null;
  const bodyStart = findFrontmatter(text)?.bodyStart ?? 0;
  const head = text.slice(0, bodyStart);
  const bodyLines = splitLines(hideComments(hideStatus(text.slice(bodyStart))));
  if (isTemplate(bodyLines.filter((line) => line !== hidden).join('\n'))) return () => null;
  const firstNumber = splitLines(head).length + 1;
  const all = bodyLines.map((line, index) => ({
    text: line === hidden ? '' : line,
    number: firstNumber + index,
  }));
  const end = all.findLast((line) => line.text.trim() !== '')?.number ?? 0;
  const lines = takeCharacters(prefersStyle ? styleFirst(all) : all, maxNoteCharacters);
  const sentences = splitSentences(lines);
  const isWhole = lines.length === all.length;
  const updated = /^updated: (\d{4}-\d{2}-\d{2})/m.exec(head)?.[1];
  const title = `${formatPath(path)}${updated === undefined ? '' : ` (${updated})`}`;
  const format = (count: number): string => {
    const chosen = new Set(sentences.slice(0, count));
    const missing = sentences.slice(count).flatMap(({ fragments }) => fragments);
    const from = Math.min(...missing.map(({ line }) => lines[line]?.number ?? end), end);
    return [
      title,
      ...formatSentences(lines, sentences, (sentence) => chosen.has(sentence)),
      ...(missing.length === 0 && isWhole ? [] : [restAt(`${formatPath(path)}:${from}-${end}`)]),
    ].join('\n');
  };
  return (tokens) =>
    fitSentences(tokens, (room) => {
      let used = estimateTokens(format(0));
      const count = sentences.findIndex((sentence) => (used += estimateSentence(sentence)) > room);
      return count === 0 ? null : format(count === -1 ? sentences.length : count);
    });
}

/** More than the brief has room for. */
const maxNoteCharacters = 6_000;

function takeCharacters<Line extends { text: string }>(lines: readonly Line[], most: number): Line[] {
  let length = 0;
  const end = lines.findIndex(({ text }) => (length += text.length) > most);
  return lines.slice(0, end === -1 ? undefined : end + 1);
}

/** Stands for a line that contains only a comment, or part of one. */
const hidden = '\0';

function hideComments(text: string): string {
  return text.replaceAll(/^[ \t]*<!--[\s\S]*?-->[ \t]*$/gm, (comment) =>
    comment.replaceAll(/[^\n]+/g, hidden).replaceAll(/(?<=^|\n)(?=\n)/g, hidden),
  );
}

/** The status of the overview says nothing that the brief does not count itself. */
function hideStatus(text: string): string {
  return replaceStatus(text, (findStatus(text) ?? '').replaceAll(/[^\n]+/g, hidden));
}

const templates = new Set(
  Object.values(rootFiles).flatMap((files) => Object.values(files).map(({ body }) => body.trim())),
);

function isTemplate(body: string): boolean {
  return templates.has(body.trim());
}

/** Moves the sections about the working style to the top; the others follow in their order. */
function styleFirst(lines: readonly { text: string; number: number }[]): { text: string; number: number }[] {
  let isStyle = false;
  const groups = Map.groupBy(lines, ({ text }) => {
    if (/^#{1,6}\s/.test(text)) isStyle = workingStyle.test(text);
    return isStyle;
  });
  return [...(groups.get(true) ?? []), ...(groups.get(false) ?? [])];
}
