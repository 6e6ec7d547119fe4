import { diffLines, internLines } from '../contract/index.ts';
import { extractBody, splitLines } from '../vault/index.ts';
import { fold } from './fold.ts';
import { findUncoveredSentences, statesFact } from './coverage.ts';
import { contentShare, contentTerms, detectLanguage, weighContentTerms } from './word-overlap.ts';

/** A file before and after the update; null if it did not or does not exist. */
export type ReviewedFile = {
  path: string;
  kind: 'tasks' | 'changelog' | 'profile' | 'note';
  before: string | null;
  after: string | null;
};

/** Something that leaves the vault. `title` is its heading, its first line, or the path of a file. */
export type Removal = { path: string; kind: 'file' | 'task' | 'entry' | 'text'; title: string; text: string };

/** A paragraph counts as removed from this size on; single lines are replaced all the time. */
const minRemovedLines = 2;
const minRemovedCharacters = 120;
/** Minimum share of common words for a line that was reworded, not removed. */
const minSimilarity = 0.4;

/** Files, tasks, changelog entries and paragraphs that are in none of the files afterwards. Reworded lines are not removed. */
export function findRemovals(files: readonly ReviewedFile[]): Removal[] {
  const remaining = new Set(splitLines(textAfter(files)).map(lineKey));
  return files.flatMap((file): Removal[] => {
    if (file.before === null) return [];
    const before = splitLines(extractBody(file.before));
    const isGone = (line: string): boolean => lineKey(line) !== '' && !remaining.has(lineKey(line));
    if (file.after === null)
      return before.some(isGone) || before.every((line) => lineKey(line) === '')
        ? [{ path: file.path, kind: 'file', title: file.path, text: before.join('\n') }]
        : [];
    const after = splitLines(extractBody(file.after));
    const gone = removedLines(before, after).filter(({ line }) => isGone(line));
    return groupRemovals(file, gone);
  });
}

/**
 * Sentences of replaced lines whose facts no file has any more, although neither the input nor a new line has one of their
 * words: an edit took them along. `said` is the input and what was added.
 */
export function findReplacedFacts(files: readonly ReviewedFile[], said: string): Removal[] {
  const topics = contentTerms(said);
  const known = textAfter(files);
  const remaining = new Set(splitLines(known).map(lineKey));
  return files.flatMap(({ path, before, after }): Removal[] => {
    if (before === null || after === null) return [];
    const input = splitLines(extractBody(before))
      .filter((line) => !remaining.has(lineKey(line)) && !isUnitOrField(line))
      .join('\n');
    const language = detectLanguage(input);
    return findUncoveredSentences({ input, found: known })
      .filter((sentence) => statesFact(sentence, language) && contentShare(sentence, topics) === 0)
      .map((sentence) => ({ path, kind: 'text', title: sentence, text: sentence }));
  });
}

function textAfter(files: readonly ReviewedFile[]): string {
  return files.map(({ after }) => extractBody(after ?? '')).join('\n');
}

/** Tasks are compared by their titles, and the fields of tasks and entries change all the time. */
function isUnitOrField(line: string): boolean {
  return isHeading(line) || isCheckbox(line) || /^[\p{L} ]{2,20}\s?:\s/u.test(line) || line.includes(' | ');
}

/** Ignores case, markup, whether a task is ticked, and the order of a list. */
function lineKey(line: string): string {
  return fold(line.replace(/^\s*(?:(?:[-+*>]|\d{1,3}[.)])\s+)*(?:\[.\]\s+)?/, ''));
}

type RemovedLine = { line: string; index: number };

/** The lines that were removed and not reworded. */
function removedLines(before: readonly string[], after: readonly string[]): RemovedLine[] {
  const [oldLines, newLines] = internLines(before, after);
  if (oldLines === undefined || newLines === undefined) return [];
  return diffLines(oldLines, newLines).edits.flatMap((edit) => {
    const removed = before
      .slice(edit.old.start, edit.old.end)
      .map((line, at) => ({ line, index: edit.old.start + at }))
      .filter(({ line }) => line.trim() !== '');
    const added = after.slice(edit.new.start, edit.new.end).filter((line) => line.trim() !== '');
    return withoutReworded(removed, added);
  });
}

/** More lines than this are not replaced by unlike ones, but removed. */
const maxReplacedLines = 1;

/** Matches each removed line with the most similar added line. A single other line is replaced, unless it is a heading or a task. */
function withoutReworded(removed: readonly RemovedLine[], added: readonly string[]): RemovedLine[] {
  const left = added.map((line) => ({ line, terms: contentTerms(line), isUsed: false }));
  const unmatched = removed.filter(({ line }) => {
    const terms = contentTerms(line);
    const best = left
      .filter(({ isUsed, line: other }) => !isUsed && isHeading(other) === isHeading(line))
      .map((candidate) => ({ candidate, score: similarity(terms, candidate.terms) }))
      .toSorted((a, b) => b.score - a.score)[0];
    if (best === undefined || best.score < minSimilarity) return true;
    best.candidate.isUsed = true;
    return false;
  });
  const isReplaceable = ({ line }: RemovedLine): boolean => !isHeading(line) && !isCheckbox(line);
  const hasReplacement = left.some(({ isUsed, line }) => !isUsed && !isHeading(line));
  return hasReplacement && unmatched.filter(isReplaceable).length <= maxReplacedLines
    ? unmatched.filter((each) => !isReplaceable(each))
    : unmatched;
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const smaller = Math.min(a.size, b.size);
  return smaller === 0 ? 0 : [...a].filter((word) => b.has(word)).length / smaller;
}

function isHeading(line: string): boolean {
  return /^#{1,6}\s/.test(line);
}

function isCheckbox(line: string): boolean {
  return /^\s*[-+*]\s+\[.\]\s/.test(line);
}

/** Combines adjacent removed lines. A heading or checkbox starts a new removal. */
function groupRemovals({ path, kind }: ReviewedFile, lines: readonly RemovedLine[]): Removal[] {
  const groups: RemovedLine[][] = [];
  for (const removed of lines) {
    const last = groups.at(-1);
    const isAdjacent = last !== undefined && removed.index - (last.at(-1)?.index ?? 0) <= 2;
    if (isAdjacent && !isUnit(kind, removed.line)) last.push(removed);
    else groups.push([removed]);
  }
  return groups.flatMap((group): Removal[] => {
    const [first] = group;
    const text = group.map(({ line }) => line).join('\n');
    if (first === undefined) return [];
    const title = first.line.replace(/^\s*(?:#{1,6}\s+|[-+*]\s+(?:\[.\]\s+)?)/, '').trim();
    // The heading of a section that is empty now says nothing by itself.
    if (unitKind(kind, first.line) === 'text' && isHeading(first.line) && group.length === 1) return [];
    if (isUnit(kind, first.line)) return [{ path, kind: unitKind(kind, first.line), title, text }];
    const isLong = group.length >= minRemovedLines || text.length >= minRemovedCharacters;
    return isLong ? [{ path, kind: 'text', title, text }] : [];
  });
}

function isUnit(kind: ReviewedFile['kind'], line: string): boolean {
  if (isCheckbox(line)) return true;
  // The heading of a day is not an entry.
  return isHeading(line) && !(kind === 'changelog' && /^#\s/.test(line));
}

function unitKind(kind: ReviewedFile['kind'], line: string): Removal['kind'] {
  if (isCheckbox(line) || kind === 'tasks') return 'task';
  return kind === 'changelog' ? 'entry' : 'text';
}

/**
 * Minimum share of the words of a title, by length, that must occur in a text that names it. The agent's entry is about
 * what was removed, so fewer words are enough there than in the input.
 */
const minNamedShare = 0.5;
export const minShareInEntry = 0.4;

const minNamedTextShare = 0.4;

/**
 * Whether a text names a removal: it contains most words of its title, and one of the names and numbers in it. For a section
 * or paragraph, it is enough that the text contains a good part of its words.
 */
export function isNamedIn(
  { title, kind, text: removed }: Removal,
  text: string,
  min = minNamedShare,
): boolean {
  const name = kind === 'file' ? fileTitle(title) : title;
  if (` ${wordsOnly(text)} `.includes(` ${wordsOnly(name)} `) && wordsOnly(name) !== '') return true;
  if ((kind === 'task' || kind === 'entry') && !hasMark(title, text)) return false;
  const named = new Set(weighContentTerms(withoutParticiples(text), namedLetters).keys());
  const share = (words: string): number =>
    contentTerms(words).size === 0 ? 0 : contentShare(withoutParticiples(words), named, namedLetters);
  return share(name) >= min || (kind === 'text' && share(removed) >= minNamedTextShare);
}

/** The name of a file in words. The files of an inbox item are named by its folder. */
function fileTitle(path: string): string {
  const [name = '', folder = ''] = path.split('/').toReversed();
  const own = /^(?:original|review)\.md$/.test(name) ? folder : name.replace(/\.\w+$/, '');
  return own.replaceAll(/[-_]/g, ' ');
}

/**
 * Whether a text has a name or number of a title, if the title has any. Without this, a task about one person would be named
 * by a sentence about another one.
 */
function hasMark(title: string, text: string): boolean {
  const marks = title.match(/(?<=[\p{Ll}\p{N},]\s)\p{Lu}[\p{L}\p{M}]+|\d{2,}/gu) ?? [];
  const words = new Set(wordsOnly(text).split(' '));
  return marks.length === 0 || marks.some((mark) => words.has(fold(mark)));
}

/** Titles and sentences differ in the form of their verbs, so fewer letters are compared. */
const namedLetters = 4;

/** Removes the `ge` of German participles: ausgesucht, gedämmt. */
function withoutParticiples(text: string): string {
  return text.replaceAll(/\b(ab|an|auf|aus|ein|um|vor|zu|zurück|)ge(?=\p{L}{3,}(?:t|en)\b)/giu, '$1');
}

function wordsOnly(text: string): string {
  return (
    fold(text)
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  );
}
