import { createLinkTargets, joinPath, linksIn, relativePath, rewriteLinks } from '../../contract/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import {
  belowRoot,
  bucketFor,
  childPath,
  filePathsBelow,
  findFrontmatter,
  folderIn,
  mayHoldDocument,
  parentPath,
  parseVaultPath,
  rootPath,
} from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import { originalOf } from './incoming.ts';
import { bytesAt, placeIn } from './place.ts';

/**
 * A note that was moved brings along what it links to in the folder where it lay and what was left there: its
 * original, its pictures, the notes of what was attached to it, and what those bring along. What it links to leads to
 * where that lies now, also when it was moved before.
 */
export async function moveCompanions(run: WriteRun, notes: readonly VaultPath[]): Promise<void> {
  const waiting = [...notes];
  const done = new Set<VaultPath>();
  for (const from of waiting) {
    const to = run.transaction.movedTo(from);
    const bytes = to === undefined || done.has(from) ? null : await bytesAt(run, to);
    if (to === undefined || bytes === null) continue;
    done.add(from);
    const before = bytes.toString();
    const beside = await filesBeside(run, from, before);
    const moved = new Map([[from, to]]);
    for (const companion of companionsOf(before, from, beside)) {
      const known = run.transaction.movedTo(companion);
      const placed = known ?? (await placeIn(run, homeOf(to), companion));
      if (placed === null) continue;
      moved.set(companion, placed);
      if (known === undefined) waiting.push(companion);
    }
    const text = moved.size === 1 ? before : await relink(run, before, { from, to, beside, moved });
    if (text === before) continue;
    const staged = run.transaction.put(to, bytes, Buffer.from(text));
    if (!staged.ok) throw new Error(`${to}: ${staged.reason}`);
  }
}

/** What lay in the folder of a note: what is there still, and what the note links to and was moved. */
async function filesBeside(run: WriteRun, note: VaultPath, text: string): Promise<VaultPath[]> {
  const folder = parentPath(note);
  const there = folderIn(await run.view.contents(folder), folder)?.files.keys() ?? [];
  const moved = linksIn(text)
    .flatMap(({ target }) => [target, `${target}.md`])
    .flatMap((target) => pathBeside(note, target) ?? [])
    .filter((path) => run.transaction.movedTo(path) !== undefined);
  return [...[...there].map((name) => childPath(folder, name)), ...moved];
}

/** What a note names in its own folder. */
function companionsOf(text: string, note: VaultPath, beside: readonly VaultPath[]): Set<VaultPath> {
  const original = pathBeside(note, originalOf(text) ?? '');
  const byPath = new Map(beside.map((path) => [belowRoot(path), path]));
  const targets = createLinkTargets(byPath.keys());
  const linked = linksIn(text).map((link) => byPath.get(targets.find(link, belowRoot(note)) ?? ''));
  const all = [original, ...linked].filter((path) => path !== null && path !== undefined);
  return new Set(all.filter((path) => path !== note));
}

/** Null for what is not a path in the folder of the note. */
function pathBeside(note: VaultPath, target: string): VaultPath | null {
  const joined = joinPath(belowRoot(note), target);
  const parsed = joined === null ? null : parseVaultPath(`${rootPath}/${joined}`);
  return parsed?.ok === true && parentPath(parsed.path) === parentPath(note) ? parsed.path : null;
}

/** Beside its note if a document may lie there, else in the bucket of its project, or that of the vault. */
function homeOf(note: VaultPath): VaultPath {
  return mayHoldDocument(note) ? parentPath(note) : bucketFor(note);
}

type Relinking = {
  from: VaultPath;
  to: VaultPath;
  beside: readonly VaultPath[];
  moved: ReadonlyMap<VaultPath, VaultPath>;
};

/** The same text, whose links and original lead to where the companions lie now. */
async function relink(run: WriteRun, text: string, { from, to, beside, moved }: Relinking): Promise<string> {
  // Only a name can be that of any other file.
  const isByName = linksIn(text).some(({ kind }) => kind === 'wiki');
  const present = isByName ? [...filePathsBelow(await run.view.contents())] : [...moved.values()];
  const linked = rewriteLinks(text, belowRoot(from), {
    to: new Map([...moved].map(([before, after]) => [belowRoot(before), belowRoot(after)])),
    before: createLinkTargets(beside.map(belowRoot)),
    // From the root a link may lead there only as long as nothing of that name lies nearer.
    after: createLinkTargets(present.map(belowRoot), { isRoot: false }),
  }).text;
  const original = pathBeside(from, originalOf(text) ?? '');
  const placed = original === null ? undefined : moved.get(original);
  return placed === undefined ? linked : withOriginal(linked, relativePath(belowRoot(to), belowRoot(placed)));
}

function withOriginal(text: string, original: string): string {
  if (originalOf(text) === original) return text;
  const bodyStart = findFrontmatter(text)?.bodyStart ?? 0;
  const line = `original: ${JSON.stringify(original)}`;
  return text.slice(0, bodyStart).replace(/^original: .*$/m, () => line) + text.slice(bodyStart);
}
