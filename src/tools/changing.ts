import type { ChangeValue, PathError } from '../contract/index.ts';
import { block, decodeText, numberedLines, revisionOf, showPath, splitLines } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { errorLine } from './define-tool.ts';
import type { ToolResult } from './define-tool.ts';
import { explainMissing } from './name-path.ts';
import type { WriteRun } from './run.ts';

type Named = { path: VaultPath; shown: string };
type Changed = ToolResult<ChangeValue>;

/** The text of an existing file, or the error to answer with. */
export async function textAt(
  run: WriteRun,
  named: Named,
): Promise<{ bytes: Buffer; text: string } | { error: PathError }> {
  const present = await run.view.read(named.path);
  if (present.kind === 'missing') return { error: await explainMissing(run.view)(named) };
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

/** A changed file, and how the run will know it from now on. */
export function noteChange(
  run: WriteRun,
  path: VaultPath,
  bytes: Buffer,
  kind: 'created' | 'changed',
): ChangeValue['changes'][number] {
  const revision = revisionOf(bytes);
  run.filesRead.set(path, revision);
  return { path: showPath(path), kind, revision };
}

const context = 3;

/** Lines of a text with some around them, as a block. */
export function linesAround(path: VaultPath, text: string, first: number, last: number): string {
  const lines = splitLines(text);
  const from = Math.max(1, first - context);
  const to = Math.min(lines.length, Math.max(first, last) + context);
  return block(`${showPath(path)} (lines ${from}-${to})`, numberedLines(lines.slice(from - 1, to), from));
}
