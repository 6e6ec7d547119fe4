import {
  decodeText,
  findUnresolvedReplacements,
  formatInput,
  formatReference,
  isOwnChangelog,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { WriteRun } from './run.ts';

/**
 * Returns an error message if a staged change adds a `replaces:` line that names no earlier entry, because a reader would
 * never learn that the entry was replaced.
 */
export async function findReplacementProblem(
  { view }: WriteRun,
  path: VaultPath,
  before: Buffer | null,
  after: Buffer,
): Promise<string | null> {
  if (!isOwnChangelog(path, view.layout()) || !after.includes('replaces:')) return null;
  const [old, current] = [textOf(before), textOf(after)];
  const [first] = await findUnresolvedReplacements(view, path, { before: old, after: current });
  if (first === undefined) return null;
  const { line, reference, closest } = first;
  const problem =
    reference === null
      ? `"${formatInput(line)}" names no entry; write replaces: <path> § <heading>`
      : `replaces: no earlier entry is called "${formatInput(formatReference(reference))}"`;
  const names = closest.map(
    ({ path: file, entry: { heading } }) =>
      `"${formatInput(formatReference({ path: file, heading, day: null }))}"`,
  );
  return names.length === 0
    ? `${problem}; there is no earlier entry, so leave the line out`
    : `${problem}. Closest: ${names.join(', ')}. Copy the right one, or leave the line out`;
}

function textOf(bytes: Buffer | null): string {
  const decoded = bytes === null ? null : decodeText(bytes);
  return decoded?.kind === 'text' ? decoded.text : '';
}
