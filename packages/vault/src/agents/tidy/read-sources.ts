import { parseTaskFields } from '../../contract/index.ts';
import {
  baseName,
  eventDay,
  extractBody,
  fileKindOf,
  isToolMemory,
  isUnfinished,
  parseChangelog,
  parseTasks,
  splitLines,
  walkFilePaths,
} from '../../vault/index.ts';
import type { VaultPath, VaultView } from '../../vault/index.ts';
import type { SourceLine } from './candidate.ts';
import { tidiedEntry } from './tidy-item.ts';

/** An unfinished task. */
export type Task = SourceLine & { project: string | null; addedOn: string | null };
/** A changelog entry: its heading, and the first lines below it. */
export type Entry = { project: string | null; day: string; heading: SourceLine; body: SourceLine[] };
/** A statement about the present: a line of a state file. */
export type Fact = SourceLine & { project: string | null };

export type Sources = { tasks: Task[]; entries: Entry[]; facts: Fact[]; overview: SourceLine[] };

const stateName = 'state.md';
const maxBodyLines = 4;
/** Longer lines would fill the request. */
const maxLineLength = 400;
const datePattern = /\d{4}-\d{2}-\d{2}/;

/** Reads the lines of a vault that tidying compares. Long lines are left out. */
export async function readSources(view: VaultView): Promise<Sources> {
  const layout = view.layout();
  const sources: Sources = { tasks: [], entries: [], facts: [], overview: [] };
  for (const path of walkFilePaths(await view.contents())) {
    const isOverview = layout.isOverview(path);
    if (
      isToolMemory(path) ||
      fileKindOf(baseName(path)) !== 'markdown' ||
      !(layout.isSearchable(path) || isOverview)
    )
      continue;
    const read = await view.read(path);
    if (read.kind !== 'file') continue;
    const text = read.bytes.toString();
    const project = layout.projectOf(path);
    const lines = bodyLines(path, text);
    if (isOverview) sources.overview.push(...lines);
    else if (layout.isChangelog(path)) sources.entries.push(...readEntries(text, lines, project));
    else {
      sources.tasks.push(...readTasks(path, text, { isTaskList: layout.isTaskList(path), project }));
      if (baseName(path) === stateName)
        sources.facts.push(...lines.filter(isStatement).map((line) => ({ ...line, project })));
    }
  }
  return sources;
}

/** The lines of a note below its frontmatter, by their numbers in the file. */
function bodyLines(path: VaultPath, text: string): SourceLine[] {
  const all = splitLines(text);
  const body = splitLines(extractBody(text)).length;
  return all
    .map((line, index) => ({ path, line: index + 1, text: line }))
    .slice(all.length - body)
    .filter((line) => line.text.trim() !== '' && line.text.length <= maxLineLength);
}

function readTasks(
  path: VaultPath,
  text: string,
  { isTaskList, project }: { isTaskList: boolean; project: string | null },
): Task[] {
  return parseTasks(text, isTaskList ? 'task-list' : 'note')
    .filter((task) => isUnfinished(task) && task.line.length <= maxLineLength)
    .map(({ line, lineNumber, metadataLines }) => {
      const fields = metadataLines.flatMap((each) => parseTaskFields(each) ?? []);
      const added = fields.find(({ key }) => /^(?:added|ajoutée)$/i.test(key))?.value ?? '';
      return { path, line: lineNumber, text: line, project, addedOn: datePattern.exec(added)?.[0] ?? null };
    });
}

function readEntries(text: string, lines: readonly SourceLine[], project: string | null): Entry[] {
  const byNumber = new Map(lines.map((line) => [line.line, line]));
  return parseChangelog(text).flatMap((entry) => {
    const day = eventDay(entry);
    const heading = byNumber.get(entry.lines.start);
    if (day === null || heading === undefined || tidiedEntry.test(entry.heading)) return [];
    const body = lines
      .filter(({ line }) => line > entry.lines.start && line <= entry.lines.end)
      .filter((line) => !/^(?:when|from|replaces):/.test(line.text))
      .slice(0, maxBodyLines);
    return [{ project, day, heading, body }];
  });
}

function isStatement({ text }: SourceLine): boolean {
  return !/^\s*(?:#|<!--|>|```|\|?[-:| ]+\|?$)/.test(text);
}
