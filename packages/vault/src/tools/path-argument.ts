import type { PathError } from '../contract/index.ts';
import {
  parseLineRanges,
  parseVaultPath,
  formatFolderPath,
  formatInput,
  formatPath,
} from '../vault/index.ts';
import type { LineRange, VaultPath, VaultView } from '../vault/index.ts';
import { toolName } from './tool-names.ts';
import type { ToolInterface } from './tool-names.ts';
import type { Run } from './run.ts';

export type PathArgument =
  | { ok: true; path: VaultPath; displayPath: string }
  | { ok: false; error: PathError };

/** Parses a path argument; `displayPath` is the path to show in the result. */
export function parsePathArgument(
  input: string,
  { resolveCase }: Pick<VaultView, 'resolveCase'>,
): PathArgument {
  const parsed = parseVaultPath(input);
  if (!parsed.ok) return { ok: false, error: { path: formatInput(input), message: parsed.reason } };
  const path = resolveCase(parsed.path);
  return { ok: true, path, displayPath: input.endsWith('/') ? formatFolderPath(path) : formatPath(path) };
}

export type RangeArgument =
  /** `ranges` is null for the whole file. */
  | { ok: true; path: VaultPath; displayPath: string; ranges: LineRange[] | null }
  | { ok: false; error: PathError };

/**
 * Parses a path with optional line ranges, such as `vault/x.md:120-260` or `vault/x.md:1,9-14`. An existing file of exactly this
 * name wins.
 */
export async function parseRangeArgument(input: string, view: VaultView): Promise<RangeArgument> {
  const named = parsePathArgument(input, view);
  const [, file, lines] = /^(.+):([^:]*)$/s.exec(input) ?? [];
  if (!named.ok) return named;
  if (file === undefined || lines === undefined || (await isFileName(view, named.path)))
    return { ...named, ranges: null };
  const [before, parsed] = [parsePathArgument(file, view), parseLineRanges(lines)];
  if (parsed.ok) return before.ok ? { ...before, ranges: parsed.ranges } : before;
  // The text after the colon is a line range only if the part before it exists.
  if (!before.ok || !(await exists(view, before.path))) return { ...named, ranges: null };
  return {
    ok: false,
    error: { path: before.displayPath, message: `"${formatInput(parsed.input)}" ${parsed.reason}` },
  };
}

/** Windows refuses names with a colon, so there the text after it is always a range. */
async function isFileName(view: VaultView, path: VaultPath): Promise<boolean> {
  return process.platform !== 'win32' && (await exists(view, path));
}

function exists(view: VaultView, path: VaultPath): Promise<boolean> {
  return view.withEntry(path, async ({ kind }) => kind !== 'missing');
}

/** Creates the error for a missing path, with a suggestion if there is a similar one. */
export type DescribeMissing = (named: { path: VaultPath; displayPath: string }) => Promise<PathError>;

/**
 * Finding a suggestion requires a walk through the vault, so it is done only for the first few missing paths of a call.
 */
const maxSuggestions = 5;

export function createMissingPathErrors({
  view,
  toolInterface,
}: Pick<Run, 'view' | 'toolInterface'>): DescribeMissing {
  let suggestions = 0;
  return async ({ path, displayPath }) => {
    suggestions += 1;
    const closest = suggestions <= maxSuggestions ? await view.suggestPath(path) : null;
    const what = displayPath.endsWith('/') ? 'folder not found' : 'file not found';
    const next = closest === null ? treeHint(toolInterface) : `did you mean ${formatPath(closest)}?`;
    return { path: displayPath, message: `${what}; ${next}` };
  };
}

export function treeHint(toolInterface: ToolInterface): string {
  const tree = toolName('tree', toolInterface);
  return toolInterface === 'command-line' ? `list files with: ${tree}` : `call ${tree} to list files`;
}
