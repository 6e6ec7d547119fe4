import { localTime } from '../contract/index.ts';
import type { ChatContent } from '../models/index.ts';
import { readToolNamed } from '../tools/index.ts';
import type { Run } from '../tools/index.ts';
import {
  block,
  decodeText,
  fileIn,
  findFrontmatter,
  findStatus,
  folderIn,
  joinBlocks,
  numberedLines,
  profilePath,
  revisionOf,
  rootPath,
  showPath,
  splitLines,
  treeWithin,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';

/**
 * What every agent is shown first: the map, the profile and the names of all files. It has nothing in it that changes with
 * each update (stamps, totals, the status of the overview), so that providers find it in their cache.
 */
export async function vaultContext(run: Run): Promise<ChatContent> {
  const files = [];
  const { overviewPath } = run.view.layout();
  for (const path of [overviewPath, profilePath]) files.push((await lastingLines(run, path)) ?? []);
  const text = joinBlocks([
    'The vault as it is now.',
    ...files.flat(),
    ...(await whatIsMissing(run)),
    `Its files:\n\n${await namesOfFiles(run)}`,
  ]);
  return { text, images: [] };
}

/** Of what the instructions speak of: a folder that was adopted has its own order. */
async function whatIsMissing({ view }: Run): Promise<string[]> {
  const contents = await view.contents();
  const { overviewPath, changelogPath, projectsPath } = view.layout();
  const files = [overviewPath, profilePath, changelogPath].filter((path) => !fileIn(contents, path));
  const hasProjects = folderIn(contents, projectsPath) !== undefined;
  const missing = [...files.map(showPath), ...(hasProjects ? [] : [`${showPath(projectsPath)}/`])];
  if (missing.length === 0) return [];
  const order =
    "The folders of this vault are the person's own: what belongs to a project is in the notes and folders that are about it, and what is new goes where its like is.";
  return [`There is no ${missing.join(', no ')}.${hasProjects ? '' : ` ${order}`}`];
}

/** A file without its frontmatter and without the status that code writes. What is shown counts as read. Null for no text. */
async function lastingLines(run: Run, path: VaultPath): Promise<string | null> {
  const read = await run.view.read(path);
  const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
  if (read.kind !== 'file' || decoded?.kind !== 'text') return null;
  const { text } = decoded;
  const start = findFrontmatter(text)?.bodyStart ?? 0;
  const status = findStatus(text);
  const statusAt = status === null ? text.length : text.indexOf(status);
  const after = status === null ? text.length : statusAt + status.length;
  let room = Math.floor(run.bounds.tokens / 2) * 4;
  const parts = [
    linesBetween(text, start, statusAt),
    linesBetween(text, Math.max(start, after), text.length),
  ].filter(({ lines }) => lines.length > 0);
  const fitting = parts.map(({ first, lines }) => {
    const over = lines.findIndex((line) => (room -= line.length + 8) < 0);
    return { first, lines: over === -1 ? lines : lines.slice(0, over) };
  });
  const revision = revisionOf(read.bytes);
  for (const { first, lines } of fitting) run.shown.note(path, revision, first, lines);
  const rest = room >= 0 ? '' : '\n\nThat is only its beginning; read the rest of it if you need it.';
  const shown = fitting.map(({ first, lines }) => numberedLines(lines, first)).join(statusLeftOut);
  return `${block(showPath(path), shown)}${rest}`;
}

/** Where the numbers leap. */
const statusLeftOut = '\n… (the status, kept by code)\n';

/** The lines between two places of a text, without empty ones at either end, and the number of the first. */
function linesBetween(text: string, from: number, to: number): { first: number; lines: string[] } {
  const before = text.slice(0, from);
  const lines = splitLines(text.slice(from, to));
  const isBlank = (line: string): boolean => line.trim() === '';
  const start = lines.findIndex((line) => !isBlank(line));
  const end = lines.findLastIndex((line) => !isBlank(line));
  const first = before.split('\n').length + Math.max(0, start);
  return { first, lines: start === -1 ? [] : lines.slice(start, end + 1) };
}

/** A result of a tool is at most so much of what the model takes. */
const shareForResult = 1 / 6;

/** The same run, with results that leave a small model room for others. */
export function withinContext<AnyRun extends Run>(run: AnyRun, contextTokens: number): AnyRun {
  const tokens = Math.min(run.bounds.tokens, Math.floor(contextTokens * shareForResult));
  return { ...run, bounds: { ...run.bounds, tokens } };
}

const treeTokens = 4_000;
const longFile = 4_000;

/** Names alone, and of a long file roughly how long it is: a figure that grows with every entry would change all the time. */
async function namesOfFiles(run: Run): Promise<string> {
  const folder = folderIn(await run.view.contents(), rootPath);
  if (folder === undefined) return '';
  const room = Math.min(treeTokens, run.bounds.tokens / 2) * 4;
  const { rows } = treeWithin(folder, null, room);
  const isAll = rows.every(({ item }) => item !== null);
  const names = rows
    .map(({ left, item }) => {
      // Without the figures, which would change with every new file.
      if (item === null) return left.replace(/….*/, '…');
      const tokens = item.kind === 'file' ? (item.tokens ?? 0) : 0;
      return tokens < longFile
        ? left
        : `${left}  [over ${2 ** Math.floor(Math.log2(tokens / 1000))}k tokens]`;
    })
    .join('\n');
  return isAll
    ? names
    : `${names}\n\nNot all are shown: call tree with the path of a folder to see more of it.`;
}

/** As the tool `read` shows it, which also counts as having read it: what is shown may be edited. */
export async function readAsModel(run: Run, paths: string[]): Promise<ChatContent> {
  const outcome = await readToolNamed('read').call({ paths }, run);
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return outcome.result;
}

/** The moment, in a form that says the day of the week, too. */
export function today(now: number): string {
  const day = new Date(now).toLocaleDateString('en', { weekday: 'long' });
  return `${day} ${localTime(now)}`;
}
