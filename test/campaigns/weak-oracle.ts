import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The text of every file, by its path in the vault. */
export type Snapshot = ReadonlyMap<string, string>;

/** Reads all files except Keepsake's own and the generated tree. */
export function readSnapshot(vault: string): Snapshot {
  const paths = readdirSync(vault, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !path.startsWith('.keepsake') && path !== 'tree.md' && statSync(join(vault, path)).isFile(),
  );
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(vault, path), 'utf8')]));
}

/** The lines of a file without frontmatter, status block and blank lines. */
export function linesOf(text: string | undefined): string[] {
  return (text ?? '')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/<!-- keepsake:status -->[\s\S]*?<!-- \/keepsake:status -->/, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '');
}

/** The elements of a list that the other does not have; equal elements are matched one by one. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const each of other) left.set(each, (left.get(each) ?? 0) + 1);
  return list.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count <= 0;
  });
}

export type FileDifference = {
  path: string;
  change: 'created' | 'changed' | 'deleted';
  addedTitles: string[];
  removedTitles: string[];
  addedLines: string[];
  removedLines: string[];
};

/** What differs between two snapshots, file by file. */
export function compareSnapshots(before: Snapshot, after: Snapshot): FileDifference[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [old, now] = [linesOf(before.get(path)), linesOf(after.get(path))];
    const change = !before.has(path) ? 'created' : after.has(path) ? 'changed' : 'deleted';
    if (change === 'changed' && old.join('\n') === now.join('\n')) return [];
    const [oldTitles, newTitles] = [titlesOf(path, old), titlesOf(path, now)];
    return [
      {
        path,
        change,
        addedTitles: without(newTitles, oldTitles),
        removedTitles: without(oldTitles, newTitles),
        addedLines: without(now, old),
        removedLines: without(old, now),
      },
    ];
  });
}

/** The tasks of a task list, the entries of a changelog, and checkboxes elsewhere. */
export function titlesOf(path: string, lines: readonly string[]): string[] {
  const name = path.split('/').at(-1);
  if (name === 'changelog.md') return lines.flatMap((line) => /^## (.+)/.exec(line)?.[1] ?? []);
  const boxes = lines.flatMap((line) => /^\s*- \[.\] (.+)/.exec(line)?.[1] ?? []);
  return name === 'tasks.md'
    ? [...lines.flatMap((line) => /^# (.+)/.exec(line)?.[1] ?? []), ...boxes]
    : boxes;
}

function wordsOf(text: string): string[] {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]{4,}/gu) ?? [];
}

/** The share of the words of a text that another text contains. */
function sharedWords(text: string, other: string): number {
  const words = new Set(wordsOf(text));
  const present = new Set(wordsOf(other));
  return words.size === 0 ? 1 : [...words].filter((word) => present.has(word)).length / words.size;
}

/** Something that is in no file any more. */
export type Loss = { path: string; title: string; kind: 'title' | 'block' | 'file' };

/** The tasks, entries, checkboxes, blocks of at least two lines and files that left the vault. Reworded ones did not. */
export function findLosses(before: Snapshot, after: Snapshot): Loss[] {
  const present = new Set([...after.values()].flatMap((text) => linesOf(text).map(plainLine)));
  return compareSnapshots(before, after).flatMap((file): Loss[] => {
    const { path, change, removedTitles, addedTitles, addedLines } = file;
    if (path.startsWith('inbox/') || change === 'created') return [];
    const isMissing = (line: string, added: readonly string[]): boolean =>
      !present.has(plainLine(line)) && !added.some((each) => sharedWords(line, each) >= 0.5);
    const isGone = (line: string): boolean => isMissing(line, addedLines);
    const lines = linesOf(before.get(path));
    if (change === 'deleted') return lines.some(isGone) ? [{ path, title: path, kind: 'file' }] : [];
    const titles = removedTitles.filter((title) => isMissing(title, addedTitles));
    return [
      ...titles.map((title): Loss => ({ path, title, kind: 'title' })),
      ...findBlocks(lines, isGone, removedTitles).map((title): Loss => ({ path, title, kind: 'block' })),
    ];
  });
}

function plainLine(line: string): string {
  return line.replace(/^\s*(?:#+ |- \[.\] |[->*] )*/, '').toLowerCase();
}

/** Runs of at least two gone lines, without the removed titles and the lines below them. */
function findBlocks(
  lines: readonly string[],
  isGone: (line: string) => boolean,
  titles: readonly string[],
): string[] {
  const blocks: string[][] = [[]];
  let isBelowTitle = false;
  for (const line of lines) {
    if (line.startsWith('#')) isBelowTitle = titles.some((title) => line.endsWith(` ${title}`));
    const counts = isGone(line) && !isBelowTitle && !titles.some((title) => line.endsWith(`] ${title}`));
    if (counts) blocks.at(-1)?.push(line);
    else blocks.push([]);
  }
  return blocks.filter((block) => block.length > 1).map((block) => block.join('\n'));
}

/** Whether a text names something that left: most words of a title, a good part of a block, the name of a file. */
export function isNamed({ title, kind }: Loss, text: string, minShare = 0.5): boolean {
  if (kind === 'file') {
    const [name = ''] = (title.split('/').at(-1) ?? '').split('.');
    return text.includes(name) || sharedWords(name.replaceAll('-', ' '), text) >= 0.5;
  }
  return sharedWords(title, text) >= (kind === 'block' ? Math.min(0.4, minShare) : minShare);
}

/** The lines that an update added to changelogs. */
export function addedEntries(before: Snapshot, after: Snapshot): string {
  return compareSnapshots(before, after)
    .filter(({ path }) => path.endsWith('changelog.md'))
    .flatMap(({ addedLines }) => addedLines)
    .join('\n');
}

/** Whether some line of a text has both the word and the number. */
export function states(text: string, { word, number }: { word: string; number: string }): boolean {
  const isNumbered = new RegExp(`(?<!\\d)${number}(?!\\d)`);
  return text
    .split('\n')
    .some(
      (line) => line.toLowerCase().includes(word.toLowerCase()) && (number === '' || isNumbered.test(line)),
    );
}
