import type { Stamps, Writer } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { Indexed, SearchEngine } from '../search/index.ts';
import type { Catalogue, VaultRoot } from '../vault/index.ts';
import { createCopyKeeper } from './copy-keeper.ts';
import type { AskAboutLeftCopy, AskAboutMarkers, SettleCopy } from './copy-keeper.ts';
import { createEditFinder } from './edit-finder.ts';
import { createHistoryKeeper } from './keep-history.ts';
import type { KeepHistory } from './keep-history.ts';
import { createLoop } from './loop.ts';
import type { Memory } from './memory.ts';
import { createPass } from './pass.ts';
import { createReporter } from './report.ts';
import type { UpkeepEvent } from './report.ts';
import { createRuleReader } from './rules.ts';
import { createSchedule } from './schedule.ts';
import { createStampEdits } from './stamp-edits.ts';
import type { IsAsLeft } from './stamp-edits.ts';
import { defaultTiming } from './timing.ts';
import type { Timing } from './timing.ts';
import { createTreeKeeper } from './tree-keeper.ts';
import { createVectorKeeper } from './vector-keeper.ts';
import type { KeepVectors } from './vector-keeper.ts';
import type { Hints, Watch } from './watcher.ts';

export type UpkeepParts = {
  root: VaultRoot;
  catalogue: Catalogue;
  /** Compares all files with the index, and with the catalogue on the way. */
  reconcile: () => Promise<Indexed>;
  search: Pick<SearchEngine, 'changed'>;
  vectors: KeepVectors;
  writer: Pick<Writer, 'write'>;
  stamps: Stamps;
  isAsLeft: IsAsLeft;
  memory: Memory;
  changes: KeepHistory;
  /** As `recordOutsideEdits`. */
  recordUnseen: () => Promise<void>;
  settleCopy: SettleCopy;
  askAboutMarkers: AskAboutMarkers;
  askAboutLeftCopy: AskAboutLeftCopy;
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
 * Keeps catalogue, index, vectors, stamps, `tree.md` and history true while people edit the files of a vault. The watcher only
 * tells where to look first; a scan of everything finds what it did not tell. Nothing that fails ends it.
 */
export function startUpkeep(parts: UpkeepParts): Upkeep {
  const { root, memory, watch, onEvent } = parts;
  const timing = { ...defaultTiming, ...parts.timing };
  const reporter = createReporter(onEvent, elapsed);
  const { report } = reporter;
  const stamps = createStampEdits({ ...parts, elapsed, ...timing });
  const copies = createCopyKeeper({ ...parts, stamps, report, elapsed, quiet: timing.quiet });
  const schedule = createSchedule({ timing, elapsed, stamps, copies });
  const edits = createEditFinder({ ...parts, stamps, copies, schedule, report, elapsed });
  const keepTree = createTreeKeeper({ root, memory, elapsed });
  const readRules = createRuleReader(root, report);
  const history = createHistoryKeeper({ ...parts, stamps, schedule, report });
  const pass = createPass({
    ...parts,
    readRules,
    schedule,
    edits,
    stamps,
    copies,
    history,
    keepTree,
    reporter,
  });
  const vectors = createVectorKeeper({ ...parts.vectors, report, elapsed, timing });
  const work = async (isStopped: () => boolean): Promise<void> => {
    await pass(isStopped);
    vectors.wake();
  };
  const loop = createLoop({ nextAt: () => schedule.nextAt(), work, elapsed });
  const onHints = (hints: Hints): void => {
    schedule.hint(hints);
    loop.wake();
  };
  const watcher = watch(onHints, (error) => report({ kind: 'failed', doing: 'watching', error }));
  schedule.setBaseline('soon');
  loop.wake();
  return {
    async stop() {
      await Promise.all([loop.stop(), vectors.stop(), watcher.close()]);
      // What waits to be quiet does not wait any longer.
      if (schedule.hasEdits() && readRules()?.isVault === true)
        await reporter.attempt('recording outside edits', () => history.record());
    },
  };
}
