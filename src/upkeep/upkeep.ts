import { treePath } from '../changes/index.ts';
import type { Writer } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { Indexed, SearchEngine } from '../search/index.ts';
import type { Catalogue, VaultPath, VaultRoot } from '../vault/index.ts';
import { treePath } from '../changes/index.ts';
import type { Writer } from '../changes/index.ts';
import { createEditFinder } from './edit-finder.ts';
import { createLoop } from './loop.ts';
import type { Memory } from './memory.ts';
import { createReporter } from './report.ts';
import type { UpkeepEvent } from './report.ts';
import { createRuleReader } from './rules.ts';
import type { Rules } from './rules.ts';
import { createSchedule } from './schedule.ts';
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
  const schedule = createSchedule({ timing, elapsed, stamps });
  const edits = createEditFinder({ ...parts, stamps, schedule, report, elapsed });
  const keepTree = createTreeKeeper({ root, memory, elapsed });

  const stampEdits = async (isStopped: () => boolean): Promise<void> => {
    try {
      const paths = await stamps.run(isStopped);
      if (paths.length === 0) return;
      schedule.noteTreeChange();
      report({ kind: 'stamped', paths });
    } finally {
      memory.flush();
    }
  };

  const writeTree = async (rules: Rules): Promise<void> => {
    schedule.dropTree();
    const kept = keepTree(await catalogue.contents(), rules.mayCreateTree);
    if (kept === 'written') {
      await catalogue.changed(treePath);
      report({ kind: 'tree' });
    }
    if (kept === 'foreign' && rules.mayCreateTree) report({ kind: 'foreign-tree' });
  };

  const record = async (): Promise<void> => {
    schedule.putOffRecord();
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
    schedule.dropTree();
    schedule.putOffRecord();
  };

  const pass = async (isStopped: () => boolean): Promise<void> => {
    const rules = readRules(report);
    if (rules === null) {
      schedule.putOffScan();
      schedule.takeHints();
      rest();
      return;
    }
    if (schedule.isDue('scan')) await attempt('comparing all files', () => edits.scan(rules));
    else if (schedule.isDue('look')) await attempt('looking at changed files', () => edits.look(rules));
    if (!rules.isVault) rest();
    if (!rules.stamps) stamps.clear();
    if (isStopped()) return;
    if (schedule.isDue('stamp')) await attempt('stamping', () => stampEdits(isStopped));
    if (schedule.isDue('tree')) await attempt('writing tree.md', () => writeTree(rules));
    if (schedule.isDue('record') && !isStopped()) await attempt('recording outside edits', record);
  };

  const loop = createLoop({ nextAt: () => schedule.nextAt(), work: pass, elapsed });
  const onHints = (hints: Hints): void => {
    schedule.hint(hints);
    loop.wake();
  };

  const watcher = parts.watch(onHints, (error) => report({ kind: 'failed', doing: 'watching', error }));
  loop.wake();
  return {
    async stop() {
      await Promise.all([loop.stop(), watcher.close()]);
    },
  };
}
