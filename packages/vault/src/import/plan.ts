import { AppError } from '../app/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { buildItems } from './build-items.ts';
import type { BuiltItems, Chosen } from './build-items.ts';
import type { Candidate, Rewrite } from './candidate.ts';
import { nameFiles } from './name-files.ts';
import type { Plan, Planning } from './planning.ts';
import { createLinkRewriter } from './rewrite-links.ts';
import { sortOut } from './sort-out.ts';

const mostRounds = 10;

/** What is to be done, item by item. In a rehearsal nothing is converted: the items then have no files. */
export async function planImport(planning: Planning, isRehearsal: boolean): Promise<Plan> {
  const { wanted, before, unchanged, kept } = await sortOut(planning);
  let taken: ReadonlySet<string> = new Set();
  for (let round = 1; round <= mostRounds; round += 1) {
    const names = nameAll(planning, taken);
    const rewrite = createLinkRewriter(linkTargets(planning.candidates, names));
    const referred = new Set(planning.candidates.flatMap((each) => referredBy(each, rewrite)));
    const isChosen = ({ id, onlyIfReferred }: Candidate): boolean =>
      onlyIfReferred === null || planning.known.has(id) || referred.has(id);
    const leftOut = wanted
      .filter((each) => !isChosen(each))
      .map(({ path, onlyIfReferred }) => ({ path, reason: onlyIfReferred ?? '' }));
    const chosen = wanted.filter(isChosen).map((candidate) => ({
      candidate,
      name: names.get(candidate.id) ?? candidate.path,
      isNew: !planning.known.has(candidate.id),
      isReferred: referred.has(candidate.id),
      before: before.get(candidate.id) ?? [],
    }));
    const built = isRehearsal ? rehearsed(chosen) : await buildItems(chosen, rewrite, planning);
    if (built.taken === null)
      return {
        items: built.items.map(({ candidate, name, isNew, files }) => ({
          candidate,
          files,
          isNew,
          isRenamed: isRenamed(candidate, name, planning.isNotion),
        })),
        unchanged,
        kept: [...kept, ...built.kept],
        leftOut: [...leftOut, ...built.refused],
        warnings: built.warnings,
      };
    // A name turned out to be that of something else, so that all are named once more.
    taken = built.taken;
  }
  throw new AppError('bad-target', `too many names in ${planning.target} are taken`, {
    mend: 'choose another folder',
  });
}

function rehearsed(chosen: readonly Chosen[]): BuiltItems {
  const items = chosen.map((each) => ({ ...each, files: [] }));
  return { items, refused: [], kept: [], warnings: [], taken: null };
}

/** Where each item goes, below the target; what was imported before stays where it was put. */
function nameAll(
  { candidates, known, isNotion, target }: Planning,
  taken: ReadonlySet<string>,
): Map<string, string> {
  const below = (path: VaultPath): string => path.slice(target.length + 1);
  const placed = new Map([...known].map(([id, files]) => [id, files.map(({ path }) => below(path))]));
  const names = nameFiles(candidates, { isNotion, known: placed, taken });
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
    candidates.flatMap(({ id, linkedAs, linkTarget }) => {
      const name = names.get(id);
      return linkedAs === null || name === undefined ? [] : [[linkedAs, linkTarget(name)] as const];
    }),
  );
}

function referredBy({ text, path }: Candidate, rewrite: Rewrite): string[] {
  return text === null ? [] : rewrite(text, path).referred;
}

/** Notion's ids are always taken off; that is not worth telling. */
function isRenamed({ path, isConverted, sort }: Candidate, name: string, isNotion: boolean): boolean {
  return !isNotion && !isConverted && sort !== 'conversations' && path.normalize('NFC') !== name;
}
