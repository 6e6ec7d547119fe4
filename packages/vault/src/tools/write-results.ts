import type { ChangeValue, PathError } from '../contract/index.ts';
import {
  renderBlock,
  decodeText,
  formatNumberedLines,
  hasOwnLines,
  computeRevision,
  formatPath,
  splitLines,
} from '../vault/index.ts';
import type { LineRange, VaultPath } from '../vault/index.ts';
import { formatPathError } from './define-tool.ts';
import type { ToolResult } from './define-tool.ts';
import { createMissingPathErrors } from './path-argument.ts';
import type { WriteRun } from './run.ts';
import type { FileLines } from './shown-lines.ts';

type ResolvedPath = { path: VaultPath; displayPath: string };
type ChangeResult = ToolResult<ChangeValue>;

/** Reads an existing text file, or returns the error to report. */
export async function readTextFile(
  run: WriteRun,
  named: ResolvedPath,
): Promise<{ bytes: Buffer; text: string } | { error: PathError }> {
  const current = await run.view.read(named.path);
  if (current.kind === 'missing') return { error: await createMissingPathErrors(run)(named) };
  if (current.kind === 'folder')
    return { error: { path: named.displayPath, message: 'it is a folder; pass a file path' } };
  if (current.kind === 'refused') return { error: { path: named.displayPath, message: current.reason } };
  const problem = await findContentProblem(run, named.path);
  if (problem !== null) return { error: { path: named.displayPath, message: problem } };
  const decoded = decodeText(current.bytes);
  if (decoded.kind === 'text') return { bytes: current.bytes, text: decoded.text };
  return { error: { path: named.displayPath, message: `it is ${decoded.description}, not text` } };
}

/**
 * Why the content of a file cannot be changed: the lines that are shown for it are not its own, or someone has protected it on disk,
 * which a change would ignore, because it replaces the file. Null if it can be changed.
 */
export function findContentProblem({ view }: WriteRun, path: VaultPath): Promise<string | null> {
  return view.withEntry(path, async (viewed) => {
    if (viewed.kind !== 'file') return null;
    if (!(await hasOwnLines(viewed))) return documentMessage;
    return viewed.isReadOnly === true ? 'it is read-only on disk; allow writing to the file first' : null;
  });
}

const documentMessage =
  'its lines are extracted from a document and cannot be changed; change it in the program that made it, or write a note about it';

export function failureResult(error: PathError, more = ''): ChangeResult {
  return { text: `${formatPathError(error)}${more}`, images: [], value: { changes: [], errors: [error] } };
}

export function successResult(text: string, changes: ChangeValue['changes']): ChangeResult {
  return { text, images: [], value: { changes, errors: [] } };
}

/** Records a changed file. A run that was shown the whole file still counts as having seen all of it after its own change. */
export function recordChange(
  run: WriteRun,
  path: VaultPath,
  before: Buffer | null,
  after: Buffer,
): ChangeValue['changes'][number] {
  const revision = computeRevision(after);
  if (before === null || run.shownLines.isFullyShown(path, toFileLines(before)))
    run.shownLines.markKnown(path, revision);
  return { path: formatPath(path), kind: before === null ? 'created' : 'changed', revision };
}

/** Splits a file into lines, to be compared with the lines that were shown. */
export function toFileLines(bytes: Buffer): FileLines {
  let lines: string[] | null = null;
  return {
    revision: computeRevision(bytes),
    // Most calls compare only the revision, and a large file has hundreds of thousands of lines.
    get lines() {
      return (lines ??= splitLines(bytes.toString()));
    },
  };
}

const contextLines = 3;

/** Renders lines with some context as a block, and records them as shown. */
export function renderContext(
  run: WriteRun,
  path: VaultPath,
  { revision, lines }: FileLines,
  { start, end }: LineRange,
): string {
  const from = Math.max(1, start - contextLines);
  const to = Math.min(lines.length, Math.max(start, end) + contextLines);
  const around = lines.slice(from - 1, to);
  run.shownLines.add(path, revision, from, around);
  return renderBlock(`${formatPath(path)} (lines ${from}-${to})`, formatNumberedLines(around, from));
}
