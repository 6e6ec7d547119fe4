import type { Changes } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { Indexed, SearchEngine } from '../search/index.ts';
import { kindOf, largestText, nameOf } from '../vault/index.ts';
import type { Catalogue, VaultPath } from '../vault/index.ts';
import { compareAll, compareSome, seenNow, markAllSeen } from './compare.ts';
import type { Difference } from './compare.ts';
import type { CopyKeeper } from './copy-keeper.ts';
import type { Memory } from './memory.ts';
import type { Report } from './report.ts';
import type { Rules } from './rules.ts';
import type { Schedule } from './schedule.ts';
import type { StampEdits } from './stamp-edits.ts';

type Parts = {
  catalogue: Catalogue;
  reconcile: () => Promise<Indexed>;
  search: Pick<SearchEngine, 'changed'>;
  changes: Pick<Changes, 'files'>;
  /** Records what was edited while nothing was remembered of how files were. */
  recordUnseen: () => Promise<void>;
  memory: Memory;
  stamps: Pick<StampEdits, 'notice' | 'has' | 'forget'>;
  copies: Pick<CopyKeeper, 'noticeEdit'>;
  schedule: Pick<Schedule, 'takeHints' | 'scanned' | 'noteTreeChange' | 'noteEdit'>;
  report: Report;
  elapsed: Clock;
};

/** Finds out what was edited outside, and brings catalogue and index up to date with it. */
export type EditFinder = {
  /** Compares everything. */
  scan(rules: Rules): Promise<void>;
  /** Looks only where there were hints. */
  look(rules: Rules): Promise<void>;
};

export function createEditFinder(parts: Parts): EditFinder {
  const { catalogue, memory, schedule, elapsed } = parts;
  return {
    async scan(rules) {
      const start = elapsed();
      schedule.takeHints();
      let found = 0;
      try {
        found = (await parts.reconcile()).files;
        const contents = await catalogue.contents();
        schedule.noteTreeChange();
        if (!rules.isVault) return;
        if (memory.note('baseline') === null) {
          await markAllSeen(contents, catalogue, memory);
          memory.setNote('baseline', 'taken');
          await parts.recordUnseen();
        } else {
          const recorded = await parts.changes.files();
          settle(parts, await compareAll(contents, catalogue, memory, recorded), rules);
        }
      } finally {
        schedule.scanned(elapsed() - start, found);
      }
    },
    async look(rules) {
      const changed = new Set<VaultPath>();
      for (const hint of schedule.takeHints())
        for (const { path } of await catalogue.changed(hint)) changed.add(path);
      if (changed.size === 0) return;
      schedule.noteTreeChange();
      await parts.search.changed([...changed].filter((path) => kindOf(nameOf(path)) === 'markdown'));
      if (rules.isVault && memory.note('baseline') !== null)
        settle(parts, compareSome(changed, await catalogue.contents(), catalogue, memory), rules);
    },
  };
}

const neverSeen = { revision: null, size: 0, mtime: 0, ctime: null, updated: null };

/** What may be stamped waits for it; the rest is remembered as it is. */
function settle(
  { catalogue, memory, stamps, copies, schedule, report }: Parts,
  differences: readonly Difference[],
  rules: Rules,
): void {
  const isNews = ({ path, entry }: Difference): boolean => entry === null || !stamps.has(path);
  const paths = differences.filter(isNews).map(({ path }) => path);
  if (paths.length > 0) report({ kind: 'noticed', paths });
  let isEdit = false;
  for (const { path, entry } of differences) {
    const seen = memory.files().get(path);
    if (entry === null) {
      stamps.forget(path);
      memory.put(path, { ...(seen ?? neverSeen), isGone: true, isRecorded: false });
    } else {
      const now = seenNow(path, entry, catalogue, false);
      const isText = now.revision !== null && entry.size <= largestText;
      const mayStamp = rules.stamps === 'all' || (rules.stamps === 'dated' && entry.updated !== null);
      const isWaiting = mayStamp && isText;
      if (!isWaiting) memory.put(path, now);
      // One that still waits for its stamps as it was is no further edit.
      if (isWaiting && !stamps.notice(path, entry)) continue;
      if (isText && kindOf(nameOf(path)) === 'markdown') copies.noticeEdit(path);
    }
    isEdit = true;
  }
  if (isEdit) schedule.noteEdit();
  memory.flush();
}
