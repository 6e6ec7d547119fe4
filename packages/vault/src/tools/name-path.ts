import type { PathError } from '../contract/index.ts';
import { parseLineRange, parseVaultPath, showFolder, showInput, showPath } from '../vault/index.ts';
import type { LineRange, VaultPath, VaultView } from '../vault/index.ts';
import { toolName } from './door.ts';
import type { Door } from './door.ts';
import type { Run } from './run.ts';

export type NamedPath = { ok: true; path: VaultPath; shown: string } | { ok: false; error: PathError };

/** A path as a call named it, with the form in which the result speaks of it. */
export function namePath(input: string): NamedPath {
  const parsed = parseVaultPath(input);
  if (!parsed.ok) return { ok: false, error: { path: showInput(input), message: parsed.reason } };
  return {
    ok: true,
    path: parsed.path,
    shown: input.endsWith('/') ? showFolder(parsed.path) : showPath(parsed.path),
  };
}

export type NamedLines =
  | { ok: true; path: VaultPath; shown: string; range: LineRange | null }
  | { ok: false; error: PathError };

/** A path that may carry lines, as `vault/x.md:120-260`. What has that very name wins. */
export async function nameLines(input: string, view: VaultView): Promise<NamedLines> {
  const named = namePath(input);
  const [, file, lines] = /^(.+):([^:]*)$/s.exec(input) ?? [];
  if (!named.ok) return named;
  if (file === undefined || lines === undefined || (await isThere(view, named.path)))
    return { ...named, range: null };
  const [before, parsed] = [namePath(file), parseLineRange(lines)];
  if (parsed.ok) return before.ok ? { ...before, range: parsed.range } : before;
  // What follows the colon is meant as lines only where a file precedes it.
  if (!before.ok || !(await isThere(view, before.path))) return { ...named, range: null };
  return { ok: false, error: { path: before.shown, message: `"${showInput(lines)}" ${parsed.reason}` } };
}

function isThere(view: VaultView, path: VaultPath): Promise<boolean> {
  return view.look(path, async ({ kind }) => kind !== 'missing');
}

/** The error for a path at which there is nothing; names the file that was probably meant. */
export type ExplainMissing = (named: { path: VaultPath; shown: string }) => Promise<PathError>;

/** Looking for what was meant takes a walk through the vault, so it is done only for the first few of a call. */
const mostSuggestions = 5;

export function explainMissing({ view, door }: Pick<Run, 'view' | 'door'>): ExplainMissing {
  let suggestions = 0;
  return async ({ path, shown }) => {
    suggestions += 1;
    const closest = suggestions <= mostSuggestions ? await view.closest(path) : null;
    const what = shown.endsWith('/') ? 'no such folder' : 'no such file';
    const next = closest === null ? lookAround(door) : `closest: ${showPath(closest)}`;
    return { path: shown, message: `${what}; ${next}` };
  };
}

function lookAround(door: Door): string {
  const tree = toolName('tree', door);
  return door === 'command-line' ? `see what there is with: ${tree}` : `call ${tree} to see what there is`;
}
