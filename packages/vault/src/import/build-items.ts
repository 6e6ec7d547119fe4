import { parseVaultPath, formatPath } from '../vault/index.ts';
import type { FolderEntry, VaultPath } from '../vault/index.ts';
import type { ItemBuild, Candidate, LinkRewriter } from './candidate.ts';
import type { PlannedFile, PlanInput } from './plan-types.ts';
import { importLimits } from './source.ts';
import type { SkippedItem } from './source.ts';
import { sourceTooLargeError } from './source-limit-errors.ts';

/** Twice the input limit: the converted Markdown and pictures are written in addition to the originals. */
const maxOutputBytes = 2 * importLimits.bytes;

/** An item to be imported, with its assigned name. */
export type SelectedItem = {
  candidate: Candidate;
  name: string;
  isNew: boolean;
  /** Whether a note references the item. */
  isReferenced: boolean;
  /** The files of the previous import of this item. */
  previousFiles: readonly { path: VaultPath; bytes: Buffer }[];
};

export type BuildResult = {
  items: (SelectedItem & { files: PlannedFile[] })[];
  refused: SkippedItem[];
  conflicts: SkippedItem[];
  warnings: string[];
  /** Names used by other files, if one of the items collided with such a name; otherwise null. */
  collidingNames: Set<string> | null;
};

/** Builds the files of all items concurrently and checks whether their names are free. */
export async function buildItems(
  selected: readonly SelectedItem[],
  rewrite: LinkRewriter,
  { target, folder, readFile, onProgress }: PlanInput,
): Promise<BuildResult> {
  const built = await buildAll(selected, rewrite, onProgress);
  if (sizeOf(built) > maxOutputBytes) throw sourceTooLargeError('the converted documents');
  const existing = indexFilesByLowerCase(folder);
  const result: BuildResult = { items: [], refused: [], conflicts: [], warnings: [], collidingNames: null };
  const clashes = new Set<string>();
  const claimed = new Set<string>();
  const used = new Set<string>();

  /** Null if another file has this name. */
  const place = async (
    name: string,
    after: Buffer,
    own: SelectedItem['previousFiles'],
  ): Promise<PlannedFile | null> => {
    const path = `${target}/${name}` as VaultPath;
    const lower = name.toLowerCase();
    if (used.has(lower)) return null;
    const replaced = own.find((file) => file.path === path);
    if (replaced !== undefined) return { path, before: replaced.bytes, after };
    if (listParentFolders(lower).some((above) => existing.has(above))) return null;
    if (!existing.has(lower)) return { path, before: null, after };
    const there = existing.get(lower) === name ? await readFile(path) : null;
    if (there?.equals(after) !== true) return null;
    claimed.add(lower);
    return { path, before: there, after };
  };

  for (const [index, item] of selected.entries()) {
    const outcome = validatePaths(keepReferencedOriginal(built[index] as ItemBuild, item), target);
    if (outcome.kind === 'refused') {
      result.refused.push({ path: item.candidate.path, reason: outcome.reason });
      continue;
    }
    const files: PlannedFile[] = [];
    for (const { name, bytes } of outcome.files) {
      const file = await place(
        name,
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        item.previousFiles,
      );
      if (file === null) break;
      files.push(file);
    }
    if (files.length === outcome.files.length) {
      for (const { path } of files) used.add(path.slice(target.length + 1).toLowerCase());
      result.items.push({ ...item, files: [...files, ...removedFiles(item.previousFiles, files)] });
      result.warnings.push(...outcome.warnings);
    } else if (item.isNew)
      clashes.add((item.candidate.isConverted ? `${item.name}.md` : item.name).toLowerCase());
    else
      result.conflicts.push({
        path: item.candidate.path,
        reason: `changed in the source, but another file blocks a name beside ${formatPath(`${target}/${item.name}` as VaultPath)}`,
      });
  }
  if (clashes.size > 0)
    result.collidingNames = new Set([...clashes, ...existing.keys().filter((name) => !claimed.has(name))]);
  return result;
}

function sizeOf(built: readonly ItemBuild[]): number {
  const files = built.flatMap((each) => (each.kind === 'built' ? each.files : []));
  return files.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Returns the results in the order of the items. */
async function buildAll(
  selected: readonly SelectedItem[],
  rewrite: LinkRewriter,
  onProgress: PlanInput['onProgress'],
): Promise<ItemBuild[]> {
  const total = selected.filter(({ candidate }) => candidate.isConverted).length;
  let done = 0;
  onProgress(done, total);
  return Promise.all(
    selected.map(async ({ candidate, name }) => {
      const built = await candidate.build(name, rewrite);
      if (candidate.isConverted) onProgress((done += 1), total);
      return built;
    }),
  );
}

/** Rejects paths that are too deep for a vault. */
function validatePaths(built: ItemBuild, target: VaultPath): ItemBuild {
  if (built.kind === 'refused') return built;
  const problems = built.files.map(({ name }) => parseVaultPath(`${target}/${name}`));
  const problem = problems.find((parsed) => !parsed.ok);
  return problem === undefined ? built : { kind: 'refused', reason: problem.reason };
}

/** Keeps the original of a referenced document if its conversion failed. */
function keepReferencedOriginal(built: ItemBuild, { candidate, isReferenced }: SelectedItem): ItemBuild {
  if (built.kind === 'built' || built.original === undefined || !isReferenced) return built;
  const warning = `kept ${candidate.path} unconverted: ${built.reason}`;
  return { kind: 'built', files: [built.original], warnings: [warning] };
}

/** Removals of files that the previous import of the item had and this one does not. */
function removedFiles(before: SelectedItem['previousFiles'], files: readonly PlannedFile[]): PlannedFile[] {
  return before
    .filter(({ path }) => !files.some((file) => file.path === path))
    .map(({ path, bytes }) => ({ path, before: bytes, after: null }));
}

function listParentFolders(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** All files of a folder and its subfolders, keyed by lower-case path. */
function indexFilesByLowerCase(
  folder: FolderEntry | undefined,
  prefix = '',
  found = new Map<string, string>(),
): Map<string, string> {
  for (const name of folder?.files.keys() ?? [])
    found.set(`${prefix}${name}`.toLowerCase(), `${prefix}${name}`);
  for (const [name, child] of folder?.folders ?? []) indexFilesByLowerCase(child, `${prefix}${name}/`, found);
  return found;
}
