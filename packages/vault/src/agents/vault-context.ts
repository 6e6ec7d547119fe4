import { formatLocalTime } from '../contract/index.ts';
import type { ChatContent } from '../models/index.ts';
import { getReadTool } from '../tools/index.ts';
import type { Run } from '../tools/index.ts';
import {
  renderBlock,
  decodeText,
  fileKindOf,
  findFile,
  findFrontmatter,
  findStatus,
  findFolder,
  findPeople,
  formatFolderPath,
  formatInput,
  joinBlocks,
  formatNumberedLines,
  profilePath,
  computeRevision,
  rootPath,
  formatPath,
  splitLines,
  renderTreeWithin,
} from '../vault/index.ts';
import type { RenderedTree, VaultPath } from '../vault/index.ts';

/**
 * The first messages to every agent: overview, profile and pages for people, then the tree of all files, in a message of
 * its own so that a new file does not invalidate the cache of the first. They contain nothing that changes with each
 * update (timestamps, totals, the status of the overview), so that providers can cache them.
 */
export async function formatVaultContext(run: Run): Promise<[ChatContent, ChatContent]> {
  const files = [];
  const { overviewPath } = run.view.layout();
  for (const path of [overviewPath, profilePath]) files.push((await stableLines(run, path)) ?? []);
  const description = joinBlocks([
    'Current state of the vault:',
    ...files.flat(),
    ...(await describeStructure(run)),
    ...(await listPeople(run)),
  ]);
  const list = await formatFileList(run);
  return [
    { text: description, images: [] },
    { text: list, images: [] },
  ];
}

/** How an adopted folder differs from what the instructions describe. */
async function describeStructure({ view }: Run): Promise<string[]> {
  const contents = await view.contents();
  const { overviewPath, changelogPath, projectsPath, isAdopted, createsMissing } = view.layout();
  const isMissing = (path: VaultPath): boolean => findFile(contents, path) === undefined;
  const projects = findFolder(contents, projectsPath);
  const missing = [
    ...[overviewPath, profilePath, changelogPath].filter(isMissing).map(formatPath),
    ...(projects === undefined ? [`${formatPath(projectsPath)}/`] : []),
  ];
  const hasProjectNotes = [...(projects?.files.keys() ?? [])].some((name) => fileKindOf(name) === 'markdown');
  const sentences = [
    missing.length > 0 && `This vault has no ${missing.join(', no ')}.`,
    missing.length > 0 && isAdopted && 'Do not create what is missing.',
    isMissing(changelogPath) && !createsMissing('changelog') && noChangelog,
    (isAdopted || projects === undefined) && ownStructure,
    hasProjectNotes &&
      `Where a project in ${formatPath(projectsPath)}/ is one note, the sections of that note are its description, state, tasks and log.`,
    isAdopted && ownForms,
  ].filter((sentence) => sentence !== false);
  return sentences.length === 0 ? [] : [sentences.join(' ')];
}

const noChangelog =
  'Updates of this vault need no changelog entry: record what happened in the note that it is about, and name removals in your summary.';
const ownStructure =
  "It has the person's own folder structure: information about a project is in the notes and folders about it, and new information goes next to similar notes.";
const ownForms =
  'Keep the forms that its notes use for tasks (for example `- [ ]`, ticked when done, and 📅), links, dates and properties, also where the instructions describe another form.';

/** Whether updates add entries to the changelog. An adopted folder without one keeps none. */
export async function keepsChangelog({ view }: Run): Promise<boolean> {
  const { changelogPath, createsMissing } = view.layout();
  return createsMissing('changelog') || findFile(await view.contents(), changelogPath) !== undefined;
}

const maxPeopleCharacters = 4_000;

/** Lists the pages for people with all names, so that an agent recognizes a person by any of them. */
async function listPeople({ view }: Run): Promise<string[]> {
  const { folder, pages } = await findPeople(view);
  const isKnown = folder === view.layout().peoplePath;
  if (pages.length === 0) return isKnown ? [] : [`Pages for people are in ${formatFolderPath(folder)}.`];
  let room = maxPeopleCharacters;
  const lines = pages.map(({ path, title, aliases }) => {
    const others = aliases.length === 0 ? '' : ` (${aliases.map(formatInput).join(', ')})`;
    return `- ${formatPath(path)}: ${formatInput(title)}${others}`;
  });
  const over = lines.findIndex((line) => (room -= line.length + 1) < 0);
  const shown = over === -1 ? lines : [...lines.slice(0, over), '- … (use `search` for others)'];
  return [`Pages for people, in ${formatFolderPath(folder)}:\n\n${shown.join('\n')}`];
}

/**
 * A file without its frontmatter and the status block that code maintains. The lines count as read. Null if there is
 * no text.
 */
async function stableLines(run: Run, path: VaultPath): Promise<string | null> {
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
    linesInRange(text, start, statusAt),
    linesInRange(text, Math.max(start, after), text.length),
  ].filter(({ lines }) => lines.length > 0);
  const fitting = parts.map(({ first, lines }) => {
    const over = lines.findIndex((line) => (room -= line.length + 8) < 0);
    return { first, lines: over === -1 ? lines : lines.slice(0, over) };
  });
  const revision = computeRevision(read.bytes);
  for (const { first, lines } of fitting) run.shownLines.add(path, revision, first, lines);
  const rest = room >= 0 ? '' : '\n\nOnly the beginning is shown. Use `read` for the rest if you need it.';
  const shown = fitting
    .map(({ first, lines }) => formatNumberedLines(lines, first))
    .join(omittedStatusMarker);
  return `${renderBlock(formatPath(path), shown)}${rest}`;
}

/** Marks the gap in the line numbers. */
const omittedStatusMarker = '\n… (status lines, maintained by code)\n';

/** The lines between two offsets without blank lines at the edges, and the number of the first. */
function linesInRange(text: string, from: number, to: number): { first: number; lines: string[] } {
  const before = text.slice(0, from);
  const lines = splitLines(text.slice(from, to));
  const isBlank = (line: string): boolean => line.trim() === '';
  const start = lines.findIndex((line) => !isBlank(line));
  const end = lines.findLastIndex((line) => !isBlank(line));
  const first = before.split('\n').length + Math.max(0, start);
  return { first, lines: start === -1 ? [] : lines.slice(start, end + 1) };
}

/** Maximum share of the context for one tool result. */
const resultContextShare = 1 / 6;

/** The same run with smaller tool results, so that several fit into the context of a small model. */
export function limitToContext<AnyRun extends Run>(run: AnyRun, contextTokens: number): AnyRun {
  const tokens = Math.min(run.bounds.tokens, Math.floor(contextTokens * resultContextShare));
  return { ...run, bounds: { ...run.bounds, tokens } };
}

const maxTreeTokens = 4_000;
const recentDays = 7;
const maxRecentFiles = 30;

/**
 * The tree of the vault with tokens and dates. What changes with each update comes last, so that providers can cache the rest: sizes
 * are rounded, dates have no time, and those of recently changed files are below the tree.
 */
async function formatFileList(run: Run): Promise<string> {
  const folder = findFolder(await run.view.contents(), rootPath);
  if (folder === undefined) return '';
  const tokens = Math.min(maxTreeTokens, run.bounds.tokens / 2);
  const { rows } = renderTreeWithin(folder, null, tokens * 4);
  const isAll = rows.every(({ item }) => item !== null);
  const recent = findRecent(rows, run.today(), Math.min(maxRecentFiles, tokens / 100));
  const names = rows.map(({ label, item }) => {
    // Drops counts and totals, which would change with every new file.
    if (item === null) return label.replace(/….*/, '…');
    return item.kind === 'folder' || recent.includes(item) ? label : `${label}  ${describeFile(item)}`;
  });
  return [
    `Files, with tokens and the day of the last change:\n\n${names.join('\n')}`,
    ...(isAll ? [] : ['Some files are not listed. Call tree with a folder path to list the rest.']),
    ...(recent.length === 0
      ? []
      : [`Changed last:\n\n${recent.map((item) => `${item.path}  ${describeFile(item)}`).join('\n')}`]),
  ].join('\n\n');
}

type TreeItem = NonNullable<RenderedTree['rows'][number]['item']>;

/** The files that were changed last, by day and path: the order stays the same while they change on one day. */
function findRecent(rows: RenderedTree['rows'], today: string, max: number): TreeItem[] {
  const since = new Date(Date.parse(today) - recentDays * 86_400_000).toISOString().slice(0, 10);
  const newestFirst = (a: TreeItem, b: TreeItem, length?: number): number =>
    (b.updated ?? '').slice(0, length).localeCompare((a.updated ?? '').slice(0, length));
  return rows
    .flatMap(({ item }) => (item?.kind === 'file' && (item.updated ?? '') > since ? [item] : []))
    .toSorted((a, b) => newestFirst(a, b))
    .slice(0, max)
    .toSorted((a, b) => newestFirst(a, b, 10) || a.path.localeCompare(b.path));
}

function describeFile({ tokens, updated }: TreeItem): string {
  return `[${roundTokens(tokens)} · ${updated?.slice(0, 10) ?? '—'}]`;
}

/** `300`, `8k`; a dash if there is no text. */
function roundTokens(tokens: number | null): string {
  if (tokens === null) return '—';
  return tokens < 1_000 ? String(Math.ceil(tokens / 100) * 100) : `${Math.round(tokens / 1_000)}k`;
}

/** The output of the `read` tool. The lines count as read, so they may be edited. */
export async function readForModel(run: Run, paths: string[]): Promise<ChatContent> {
  const outcome = await getReadTool('read').call({ paths }, run);
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return outcome.result;
}

/** Local date and time with the weekday. */
export function formatNow(now: number): string {
  const day = new Date(now).toLocaleDateString('en', { weekday: 'long' });
  return `${day} ${formatLocalTime(now)}`;
}
