import { AppError } from '../app/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { buildItems } from './build-items.ts';
import type { BuildResult, SelectedItem } from './build-items.ts';
import type { Candidate, LinkRewriter } from './candidate.ts';
import { assignNames } from './assign-names.ts';
import type { Plan, PlanInput } from './plan-types.ts';
import { createLinkRewriter } from './rewrite-links.ts';
import { compareWithVault } from './compare-with-vault.ts';
import { findItemsWithSecrets } from './items-with-secrets.ts';

const maxNamingRounds = 10;

/** Plans the import of each item. A dry run converts nothing, so its items have no files. */
export async function planImport(planning: PlanInput, isDryRun: boolean): Promise<Plan> {
  const { toImport, previousFiles, unchanged, conflicts } = await compareWithVault(planning);
  let reservedNames: ReadonlySet<string> = new Set();
  for (let round = 1; round <= maxNamingRounds; round += 1) {
    const names = assignItemNames(planning, reservedNames);
    const rewrite = createLinkRewriter(linkTargets(planning.candidates, names));
    const referenced = new Set(planning.candidates.flatMap((each) => findReferences(each, rewrite)));
    const isSelected = ({ id, skipReasonUnlessReferenced }: Candidate): boolean =>
      skipReasonUnlessReferenced === null || planning.known.has(id) || referenced.has(id);
    const skipped = toImport
      .filter((each) => !isSelected(each))
      .map(({ path, skipReasonUnlessReferenced }) => ({ path, reason: skipReasonUnlessReferenced ?? '' }));
    const selected = toImport.filter(isSelected).map((candidate) => ({
      candidate,
      name: names.get(candidate.id) ?? candidate.path,
      isNew: !planning.known.has(candidate.id),
      isReferenced: referenced.has(candidate.id),
      previousFiles: previousFiles.get(candidate.id) ?? [],
    }));
    const built = isDryRun ? createDryRunResult(selected) : await buildItems(selected, rewrite, planning);
    if (built.collidingNames === null)
      return {
        items: built.items.map(({ candidate, name, isNew, files }) => ({
          candidate,
          files,
          isNew,
          isRenamed: isRenamed(candidate, name, planning.isNotion),
        })),
        unchanged,
        conflicts: [...conflicts, ...built.conflicts],
        skipped: [...skipped, ...built.refused],
        warnings: built.warnings,
        secrets: await findItemsWithSecrets(built.items, rewrite),
      };
    // An assigned name collided with another file, so all names are assigned again.
    reservedNames = built.collidingNames;
  }
  throw new AppError('bad-target', `could not find free names in ${planning.target}`, {
    hint: 'choose another folder',
  });
}

function createDryRunResult(selected: readonly SelectedItem[]): BuildResult {
  const items = selected.map((each) => ({ ...each, files: [] }));
  return { items, refused: [], conflicts: [], warnings: [], collidingNames: null };
}

/** Assigns each item a path below the target; items imported before keep theirs. */
function assignItemNames(
  { candidates, known, isNotion, target }: PlanInput,
  reservedNames: ReadonlySet<string>,
): Map<string, string> {
  const below = (path: VaultPath): string => path.slice(target.length + 1);
  const placed = new Map([...known].map(([id, files]) => [id, files.map(({ path }) => below(path))]));
  const names = assignNames(candidates, { isNotion, known: placed, reservedNames });
  for (const { id, isConverted } of candidates) {
    const files = placed.get(id);
    const own = files?.find((path) => path.endsWith('.md')) ?? files?.[0];
    if (own !== undefined) names.set(id, isConverted ? own.replace(/\.[^./]+$/, '') : own);
  }
  return names;
}

function linkTargets(
  candidates: readonly Candidate[],
  names: ReadonlyMap<string, string>,
): Map<string, string> {
  return new Map(
    candidates.flatMap(({ id, linkPath, linkTarget }) => {
      const name = names.get(id);
      return linkPath === null || name === undefined ? [] : [[linkPath, linkTarget(name)] as const];
    }),
  );
}

function findReferences({ text, path }: Candidate, rewrite: LinkRewriter): string[] {
  return text === null ? [] : rewrite(text, path).references;
}

/** Notion's ids are always removed; that does not count as a rename. */
function isRenamed({ path, isConverted, category }: Candidate, name: string, isNotion: boolean): boolean {
  return !isNotion && !isConverted && category !== 'conversations' && path.normalize('NFC') !== name;
}
