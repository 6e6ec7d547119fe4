import { parseVaultPath, showPath } from '../vault/index.ts';
import type { FolderEntry, VaultPath } from '../vault/index.ts';
import type { Built, Candidate, Rewrite } from './candidate.ts';
import type { PlannedFile, Planning } from './planning.ts';
import { limits } from './source.ts';
import type { LeftOut } from './source.ts';
import { tooLarge } from './too-large.ts';

/** Markdown and pictures come on top of the originals. */
const mostBytes = 2 * limits.bytes;

/** An item that is to be imported, under this name. */
export type Chosen = {
  candidate: Candidate;
  name: string;
  isNew: boolean;
  /** Whether a note refers to it. */
  isReferred: boolean;
  /** Its files of the last time. */
  before: readonly { path: VaultPath; bytes: Buffer }[];
};

export type BuiltItems = {
  items: (Chosen & { files: PlannedFile[] })[];
  refused: LeftOut[];
  kept: LeftOut[];
  warnings: string[];
  /** Names that belong to something else, when one of the items met such a name. */
  taken: Set<string> | null;
};

/** Makes the files of all items, several at once, and sees whether there is room for them. */
export async function buildItems(
  chosen: readonly Chosen[],
  rewrite: Rewrite,
  { target, folder, readFile, onProgress }: Planning,
): Promise<BuiltItems> {
  const built = await buildAll(chosen, rewrite, onProgress);
  if (sizeOf(built) > mostBytes) throw tooLarge('what the documents are converted to');
  const present = filesBelow(folder);
  const result: BuiltItems = { items: [], refused: [], kept: [], warnings: [], taken: null };
  const clashes = new Set<string>();
  const claimed = new Set<string>();
  const used = new Set<string>();

  /** Null when something else has this name. */
  const place = async (name: string, after: Buffer, own: Chosen['before']): Promise<PlannedFile | null> => {
    const path = `${target}/${name}` as VaultPath;
    const lower = name.toLowerCase();
    if (used.has(lower)) return null;
    const replaced = own.find((file) => file.path === path);
    if (replaced !== undefined) return { path, before: replaced.bytes, after };
    if (foldersAbove(lower).some((above) => present.has(above))) return null;
    if (!present.has(lower)) return { path, before: null, after };
    const there = present.get(lower) === name ? await readFile(path) : null;
    if (there?.equals(after) !== true) return null;
    claimed.add(lower);
    return { path, before: there, after };
  };

  for (const [index, item] of chosen.entries()) {
    const outcome = withinPaths(keepReferred(built[index] as Built, item), target);
    if (outcome.kind === 'refused') {
      result.refused.push({ path: item.candidate.path, reason: outcome.reason });
      continue;
    }
    const files: PlannedFile[] = [];
    for (const { name, bytes } of outcome.files) {
      const file = await place(
        name,
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        item.before,
      );
      if (file === null) break;
      files.push(file);
    }
    if (files.length === outcome.files.length) {
      for (const { path } of files) used.add(path.slice(target.length + 1).toLowerCase());
      result.items.push({ ...item, files: [...files, ...left(item.before, files)] });
      result.warnings.push(...outcome.warnings);
    } else if (item.isNew)
      clashes.add((item.candidate.isConverted ? `${item.name}.md` : item.name).toLowerCase());
    else
      result.kept.push({
        path: item.candidate.path,
        reason: `it changed in the source, but there is no room for it beside ${showPath(`${target}/${item.name}` as VaultPath)}`,
      });
  }
  if (clashes.size > 0)
    result.taken = new Set([...clashes, ...present.keys().filter((name) => !claimed.has(name))]);
  return result;
}

function sizeOf(built: readonly Built[]): number {
  const files = built.flatMap((each) => (each.kind === 'built' ? each.files : []));
  return files.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** In the order of the items, whichever is ready first. */
async function buildAll(
  chosen: readonly Chosen[],
  rewrite: Rewrite,
  onProgress: Planning['onProgress'],
): Promise<Built[]> {
  const total = chosen.filter(({ candidate }) => candidate.isConverted).length;
  let done = 0;
  onProgress(done, total);
  return Promise.all(
    chosen.map(async ({ candidate, name }) => {
      const built = await candidate.build(name, rewrite);
      if (candidate.isConverted) onProgress((done += 1), total);
      return built;
    }),
  );
}

/** Folders in folders may lie too deep for a vault. */
function withinPaths(built: Built, target: VaultPath): Built {
  if (built.kind === 'refused') return built;
  const problems = built.files.map(({ name }) => parseVaultPath(`${target}/${name}`));
  const problem = problems.find((parsed) => !parsed.ok);
  return problem === undefined ? built : { kind: 'refused', reason: problem.reason };
}

/** What a note refers to is not lost with its conversion. */
function keepReferred(built: Built, { candidate, isReferred }: Chosen): Built {
  if (built.kind === 'built' || built.original === undefined || !isReferred) return built;
  const warning = `${candidate.path} is kept as it is: ${built.reason}`;
  return { kind: 'built', files: [built.original], warnings: [warning] };
}

/** What the item had last time and has no longer. */
function left(before: Chosen['before'], files: readonly PlannedFile[]): PlannedFile[] {
  return before
    .filter(({ path }) => !files.some((file) => file.path === path))
    .map(({ path, bytes }) => ({ path, before: bytes, after: null }));
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Files of a folder and all below it, by their names in lower case. */
function filesBelow(
  folder: FolderEntry | undefined,
  prefix = '',
  found = new Map<string, string>(),
): Map<string, string> {
  for (const name of folder?.files.keys() ?? [])
    found.set(`${prefix}${name}`.toLowerCase(), `${prefix}${name}`);
  for (const [name, child] of folder?.folders ?? []) filesBelow(child, `${prefix}${name}/`, found);
  return found;
}
