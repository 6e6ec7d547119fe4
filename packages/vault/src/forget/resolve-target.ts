import type { Database } from 'better-sqlite3';
import { contentAfter, contentBefore, hashBlob } from '../changes/index.ts';
import type { Changes } from '../changes/index.ts';
import { parseTaskFields } from '../contract/index.ts';
import type { ForgetTarget } from '../contract/index.ts';
import { isTreeFile, parseVaultPath, splitLines, walkFilePaths } from '../vault/index.ts';
import type { Catalogue, VaultPath, VaultView } from '../vault/index.ts';
import { ForgetError } from './forget-error.ts';
import { createPhraseMatcher } from './match-phrases.ts';

/** What a target stands for. */
export type ResolvedTarget = {
  phrases: string[];
  /** Blob ids of contents that are removed as a whole. */
  contents: string[];
};

type Dependencies = {
  view: VaultView;
  catalogue: Catalogue;
  changes: Changes;
  /** Null if nothing was ever written. */
  durable: () => Database | null;
};

export async function resolveTarget(
  dependencies: Dependencies,
  target: ForgetTarget,
): Promise<ResolvedTarget> {
  switch (target.kind) {
    case 'words':
      return { phrases: target.words.map(requireWords), contents: [] };
    case 'path':
      return target.lines === null
        ? resolveFile(dependencies, target.path)
        : resolveLines(dependencies, target.path, target.lines);
    case 'update':
      return resolveUpdate(dependencies, target.id);
  }
}

/** Shorter words occur almost everywhere. */
const minWordCharacters = 2;

function requireWords(words: string): string {
  if ((words.match(/[\p{L}\p{N}]/gu) ?? []).length >= minWordCharacters) return words;
  throw new ForgetError('bad-target', 'the words are too short to be found reliably', {
    hint: `pass at least ${minWordCharacters} letters or digits`,
  });
}

/** The text of these lines, wherever it occurs. */
async function resolveLines(
  dependencies: Dependencies,
  path: string,
  { start, end }: { start: number; end: number },
): Promise<ResolvedTarget> {
  const parsed = requirePath(path);
  const read = await dependencies.view.read(parsed);
  if (read.kind !== 'file') throw new ForgetError('not-found', `there is no file ${path}`);
  const lines = splitLines(read.bytes.toString());
  if (start < 1 || end < start || start > lines.length)
    throw new ForgetError('bad-target', `${path} has ${lines.length} lines`, {
      hint: 'pass existing lines, for example :3-5',
    });
  const [labels, texts] = partitionLabels(lines.slice(start - 1, end));
  const own = await keepDistinctive(dependencies, labels, new Set([parsed]));
  // Together, also headings and metadata that other files have are unmistakable.
  const whole = lines
    .slice(start - 1, end)
    .join('\n')
    .trim();
  const phrases = texts.length === 0 ? [whole, ...labels] : [whole, ...own, ...texts];
  if (phrases.length === 0)
    throw new ForgetError('bad-target', 'these lines contain no words', {
      hint: 'choose other lines, or forget the whole file',
    });
  return { phrases, contents: [] };
}

/**
 * The phrases of headings and of task metadata, and those of other lines. A passage starts with a heading such as “Notes”, which
 * other files have, too.
 */
function partitionLabels(lines: readonly string[]): [labels: string[], texts: string[]] {
  const isLabel = (line: string): boolean => /^#{1,6}\s/.test(line) || parseTaskFields(line) !== null;
  const toPhrases = (some: readonly string[]): string[] =>
    some.map(toPhrase).filter((phrase) => /[\p{L}\p{N}]{2}/u.test(phrase));
  return [toPhrases(lines.filter(isLabel)), toPhrases(lines.filter((line) => !isLabel(line)))];
}

/** All versions of the file, and its sentences that no other file contains. */
async function resolveFile(dependencies: Dependencies, path: string): Promise<ResolvedTarget> {
  const { view, changes } = dependencies;
  const parsed = requirePath(path);
  const read = await view.read(parsed, maxFileBytes);
  await changes.record();
  const versions = await readVersions(changes, parsed);
  if (read.kind === 'file') versions.push(read.bytes);
  if (versions.length === 0)
    throw new ForgetError('not-found', `there is no file ${path}, and none in history`);
  const sentences = versions.flatMap((bytes) => sentencesOf(bytes));
  return {
    phrases: await keepDistinctive(dependencies, sentences, new Set([parsed])),
    contents: [...new Set(versions.filter(({ length }) => length > 0).map(hashBlob))],
  };
}

const maxFileBytes = 1_000_000_000;
const maxChanges = 100_000;

/** Every content that the file had before or after a change. */
async function readVersions(changes: Changes, path: VaultPath): Promise<Buffer[]> {
  const versions: Buffer[] = [];
  for (const { id } of changes.list({ path, limit: maxChanges })) {
    const found = changes.find(id);
    for (const change of (await found?.changes()) ?? [])
      if (change.path === path)
        versions.push(...[contentBefore(change), contentAfter(change)].filter((bytes) => bytes !== null));
  }
  return versions;
}

/** The input of the update, and the lines that its change added. */
async function resolveUpdate(dependencies: Dependencies, id: string): Promise<ResolvedTarget> {
  const input = readUpdateInput(dependencies.durable(), id);
  const change = dependencies.changes.find(id);
  if (input === null && change === null) throw new ForgetError('not-found', `there is no update ${id}`);
  const files = (await change?.changes()) ?? [];
  const before = files.flatMap((each) => contentBefore(each)?.toString() ?? []);
  const added = files.flatMap((each) => sentencesOf(contentAfter(each) ?? Buffer.alloc(0)));
  const isOld = (sentence: string): boolean => before.some((text) => text.includes(sentence));
  const sentences = [...(input ?? []).flatMap((text) => sentencesOf(Buffer.from(text))), ...added].filter(
    (sentence) => !isOld(sentence),
  );
  const own = new Set(dependencies.changes.laterPaths(id));
  const created = files
    .filter((each) => contentBefore(each) === null)
    .flatMap((each) => contentAfter(each) ?? []);
  return {
    phrases: await keepDistinctive(dependencies, sentences, own),
    contents: [...new Set(created.map(hashBlob))],
  };
}

/** The text of an update and its files; null if there is no such update. */
function readUpdateInput(durable: Database | null, id: string): string[] | null {
  const input = durable?.prepare('select input from updates where id = ?').pluck().get(id);
  if (typeof input !== 'string') return null;
  const { text } = JSON.parse(input) as { text?: unknown };
  const selectFiles = 'select file, bytes from update_parts where update_id = ? order by file, part';
  const parts = durable?.prepare(selectFiles).all(id) as { file: number; bytes: Buffer }[];
  const files = Map.groupBy(parts, ({ file }) => file).values();
  return [
    typeof text === 'string' ? text : '',
    ...files.map((each) => Buffer.concat(each.map(({ bytes }) => bytes)).toString()),
  ];
}

function requirePath(path: string): VaultPath {
  const parsed = parseVaultPath(path);
  if (!parsed.ok) throw new ForgetError('bad-target', `${path}: ${parsed.reason}`);
  return parsed.path;
}

/** Without the markers of headings, quotes, lists and tasks. */
function toPhrase(line: string): string {
  return line.replace(/^\s*(?:#{1,6}\s+|(?:>\s*)*(?:(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?)?)/, '').trim();
}

const minSentenceWords = 3;
const minSentenceCharacters = 12;

/** The sentences of a text that are long enough to identify it. */
function sentencesOf(bytes: Buffer): string[] {
  if (bytes.includes(0)) return [];
  return splitLines(bytes.toString())
    .flatMap((line) => toPhrase(line).split(/(?<=[.!?…])\s+/))
    .map((sentence) => sentence.replace(/[.!?…]+$/, ''))
    .filter(
      (sentence) =>
        sentence.length >= minSentenceCharacters && sentence.split(/\s+/).length >= minSentenceWords,
    )
    .filter((sentence) => !/^(?:created|updated|tokens):/.test(sentence));
}

/**
 * Leaves out the sentences that other files of the vault contain, or names of files: they did not come from here alone. The file that
 * lists these names is rewritten in the background, so its text does not count.
 */
async function keepDistinctive(
  { view, catalogue }: Dependencies,
  sentences: readonly string[],
  own: ReadonlySet<string>,
): Promise<string[]> {
  let kept = [...new Set(sentences)];
  const leaveOutThoseIn = (text: string): void => {
    if (createPhraseMatcher(kept).test(text))
      kept = kept.filter((sentence) => !createPhraseMatcher([sentence]).test(text));
  };
  const paths = [...walkFilePaths(await catalogue.contents())];
  leaveOutThoseIn(paths.join('\n'));
  for (const path of paths) {
    if (kept.length === 0) break;
    if (own.has(path) || isTreeFile(path)) continue;
    const read = await view.read(path, maxFileBytes);
    leaveOutThoseIn(read.kind === 'file' ? read.bytes.toString() : '');
  }
  return kept;
}
