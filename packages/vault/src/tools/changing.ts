import type { ChangeValue, PathError } from '../contract/index.ts';
import { block, decodeText, numberedLines, revisionOf, showPath, splitLines } from '../vault/index.ts';
import type { LineRange, VaultPath } from '../vault/index.ts';
import { errorLine } from './define-tool.ts';
import type { ToolResult } from './define-tool.ts';
import { explainMissing } from './name-path.ts';
import type { WriteRun } from './run.ts';
import type { PresentLines } from './shown.ts';

type Named = { path: VaultPath; shown: string };
type Changed = ToolResult<ChangeValue>;

/** The text of an existing file, or the error to answer with. */
export async function textAt(
  run: WriteRun,
  named: Named,
): Promise<{ bytes: Buffer; text: string } | { error: PathError }> {
  const present = await run.view.read(named.path);
  if (present.kind === 'missing') return { error: await explainMissing(run)(named) };
  if (present.kind === 'folder')
    return { error: { path: named.shown, message: 'it is a folder; name a file' } };
  if (present.kind === 'refused') return { error: { path: named.shown, message: present.reason } };
  const decoded = decodeText(present.bytes);
  if (decoded.kind === 'text') return { bytes: present.bytes, text: decoded.text };
  return { error: { path: named.shown, message: `it is ${decoded.what}, not text` } };
}

export function failure(error: PathError, more = ''): Changed {
  return { text: `${errorLine(error)}${more}`, images: [], value: { changes: [], errors: [error] } };
}

export function success(text: string, changes: ChangeValue['changes']): Changed {
  return { text, images: [], value: { changes, errors: [] } };
}

/** A changed file. Who had seen all of it knows all of it afterwards, too. */
export function noteChange(
  run: WriteRun,
  path: VaultPath,
  before: Buffer | null,
  after: Buffer,
): ChangeValue['changes'][number] {
  const revision = revisionOf(after);
  if (before === null || run.shown.isWhole(path, presentLines(before))) run.shown.noteKnown(path, revision);
  return { path: showPath(path), kind: before === null ? 'created' : 'changed', revision };
}

/** A file as the record of what was shown compares it. */
export function presentLines(bytes: Buffer): PresentLines {
  return { revision: revisionOf(bytes), lines: splitLines(bytes.toString()) };
}

const context = 3;

/** Shows lines of a file with some around them, as a block. */
export function showAround(
  run: WriteRun,
  path: VaultPath,
  { revision, lines }: PresentLines,
  { start, end }: LineRange,
): string {
  const from = Math.max(1, start - context);
  const to = Math.min(lines.length, Math.max(start, end) + context);
  const around = lines.slice(from - 1, to);
  run.shown.note(path, revision, from, around);
  return block(`${showPath(path)} (lines ${from}-${to})`, numberedLines(around, from));
}
