import { treePath } from '../changes/index.ts';
import type { Writer } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { Indexed, SearchEngine } from '../search/index.ts';
import { kindOf, largestText, nameOf } from '../vault/index.ts';
import type { Catalogue, VaultPath, VaultRoot } from '../vault/index.ts';
import { compareAll, compareSome, seenNow, takeForSeen } from './compare.ts';
import type { Difference } from './compare.ts';
import type { Memory } from './memory.ts';
import { createReporter } from './report.ts';
import type { UpkeepEvent } from './report.ts';
import { createRuleReader } from './rules.ts';
import type { Rules } from './rules.ts';
import { createStampEdits } from './stamp-edits.ts';
import { defaultTiming } from './timing.ts';
import type { Timing } from './timing.ts';
import { createTreeKeeper } from './tree-keeper.ts';
import type { Hints, Watch } from './watcher.ts';

export type UpkeepParts = {
  root: VaultRoot;
  catalogue: Catalogue;
  /** Compares all files with the index, and with the catalogue on the way. */
  reconcile: () => Promise<Indexed>;
  search: Pick<SearchEngine, 'changed'>;
  writer: Pick<Writer, 'write'>;
  memory: Memory;
  /** Brings into history what was written, then these files as they are; tells which are done with. */
  record: (paths: readonly VaultPath[]) => Promise<{ done: VaultPath[]; committed: number }>;
  watch: Watch;
  clock: Clock;
  /** Told of everything that was done and of everything that failed. Must not throw. */
  onEvent: (event: UpkeepEvent) => void;
  timing?: Partial<Timing>;
};

export type Upkeep = {
  /** Ends it, once what is being done is done. */
  stop(): Promise<void>;
};

/** Between two passes, whatever is due. */
const shortestRest = 10;

const elapsed: Clock = () => performance.now();

/**
 * Keeps catalogue, index, stamps, `tree.md` and history true while people edit the files of a vault. The watcher only
 * tells where to look first; a scan of everything finds what it did not tell. Nothing that fails ends it.
 */
export function startUpkeep(parts: UpkeepParts): Upkeep {
  const { root, catalogue, memory, writer, clock } = parts;
  const timing = { ...defaultTiming, ...parts.timing };
  const { report, attempt } = createReporter(parts.onEvent, elapsed);
  const readRules = createRuleReader(root);
  const stamps = createStampEdits({ root, memory, writer, clock, elapsed, ...timing });
  const keepTree = createTreeKeeper({ root, memory, elapsed });

  let hints = new Set<VaultPath>();
  let scanAt = elapsed();
  /** A vault that takes long to compare is not compared all the time. */
  let noScanBefore = 0;
  let recordAt = scanAt + timing.recordEvery;
  /** When the tree first and last may have become another one since it was written. */
  let treeChanged: { first: number; last: number } | null = null;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  const noteTreeChange = (): void => {
    treeChanged = { first: treeChanged?.first ?? elapsed(), last: elapsed() };
  };
  /** While stamps are due the tree waits for them, so that one save makes one write; but not forever. */
  const treeAt = (): number => {
    if (treeChanged === null) return Infinity;
    return stamps.isWaiting() ? treeChanged.first + timing.treePatience : treeChanged.last + timing.treeQuiet;
  };

  const settle = (differences: readonly Difference[], rules: Rules): void => {
    const isNews = ({ path, entry }: Difference): boolean => entry === null || !stamps.has(path);
    const paths = differences.filter(isNews).map(({ path }) => path);
    if (paths.length > 0) report({ kind: 'noticed', paths });
    for (const { path, entry } of differences) {
      const seen = memory.files().get(path);
      if (entry === null) {
        stamps.forget(path);
        if (seen !== undefined) memory.put(path, { ...seen, isGone: true, isRecorded: false });
      } else {
        const now = seenNow(path, entry, catalogue, false);
        const isText = now.revision !== null && entry.size <= largestText;
        if (rules.stamps && isText) stamps.notice(path, entry);
        else memory.put(path, now);
      }
    }
    memory.flush();
  };

  const scan = async (rules: Rules): Promise<void> => {
    const start = elapsed();
    hints = new Set();
    let found = 0;
    try {
      found = (await parts.reconcile()).files;
      const contents = await catalogue.contents();
      noteTreeChange();
      if (!rules.isVault) return;
      if (memory.note('baseline') === null) {
        await takeForSeen(contents, catalogue, memory);
        memory.setNote('baseline', 'taken');
      } else settle(await compareAll(contents, catalogue, memory), rules);
    } finally {
      // Where the watcher missed something it may have missed more, and what took long was not the comparing.
      noScanBefore = elapsed() + (found > 0 ? 1 : 5) * (elapsed() - start);
      scanAt = Math.max(elapsed() + (found > 0 ? timing.afterHint : timing.scanEvery), noScanBefore);
    }
  };

  const look = async (rules: Rules): Promise<void> => {
    const paths = hints;
    hints = new Set();
    const changed = new Set<VaultPath>();
    for (const hint of paths) for (const { path } of await catalogue.changed(hint)) changed.add(path);
    if (changed.size === 0) return;
    noteTreeChange();
    await parts.search.changed([...changed].filter((path) => kindOf(nameOf(path)) === 'markdown'));
    if (rules.isVault && memory.note('baseline') !== null)
      settle(compareSome(changed, await catalogue.contents(), catalogue, memory), rules);
  };

  const stampEdits = async (): Promise<void> => {
    try {
      const paths = await stamps.run(() => isStopped);
      if (paths.length === 0) return;
      noteTreeChange();
      report({ kind: 'stamped', paths });
    } finally {
      memory.flush();
    }
  };

  const writeTree = async (rules: Rules): Promise<void> => {
    treeChanged = null;
    const kept = keepTree(await catalogue.contents(), rules.mayCreateTree);
    if (kept === 'written') {
      await catalogue.changed(treePath);
      report({ kind: 'tree' });
    }
    if (kept === 'foreign' && rules.mayCreateTree) report({ kind: 'foreign-tree' });
  };

  const record = async (): Promise<void> => {
    recordAt = elapsed() + timing.recordEvery;
    const paths = [...memory.files()].flatMap(([path, { isRecorded }]) => (isRecorded ? [] : [path]));
    const { done, committed } = await parts.record(paths);
    for (const path of done) {
      const seen = memory.files().get(path);
      if (seen?.isGone === true) memory.forget(path);
      else if (seen !== undefined) memory.put(path, { ...seen, isRecorded: true });
    }
    memory.flush();
    if (committed > 0) report({ kind: 'recorded', files: committed });
  };

  /** Nothing may be written, so nothing waits to be. */
  const rest = (): void => {
    stamps.clear();
    treeChanged = null;
    recordAt = elapsed() + timing.recordEvery;
  };

  const pass = async (): Promise<void> => {
    const rules = readRules(report);
    if (rules === null) {
      scanAt = elapsed() + timing.scanEvery;
      hints = new Set();
      rest();
      return;
    }
    if (elapsed() >= scanAt) await attempt('comparing all files', () => scan(rules));
    else if (hints.size > 0) await attempt('looking at changed files', () => look(rules));
    if (!rules.isVault) rest();
    if (!rules.stamps) stamps.clear();
    if (isStopped) return;
    if (elapsed() >= stamps.dueAt()) await attempt('stamping', stampEdits);
    if (elapsed() >= treeAt()) await attempt('writing tree.md', () => writeTree(rules));
    if (elapsed() >= recordAt && !isStopped) await attempt('recording outside edits', record);
  };

  const wake = (): void => {
    if (isStopped || running !== null) return;
    clearTimeout(timer);
    const at = Math.min(scanAt, hints.size > 0 ? 0 : Infinity, stamps.dueAt(), treeAt(), recordAt);
    timer = setTimeout(
      () => {
        running = pass().finally(() => {
          running = null;
          wake();
        });
      },
      Math.max(shortestRest, at - elapsed()),
    );
  };

  const onHints = ({ paths, isComplete }: Hints): void => {
    for (const path of paths) hints.add(path);
    const isBurst = !isComplete || hints.size > timing.burst;
    if (isBurst) hints = new Set();
    const wanted = elapsed() + (isBurst ? timing.afterBurst : timing.afterHint);
    scanAt = Math.min(scanAt, Math.max(wanted, noScanBefore));
    wake();
  };

  const watcher = parts.watch(onHints, (error) => report({ kind: 'failed', doing: 'watching', error }));
  wake();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await watcher.close();
      await running;
    },
  };
}
