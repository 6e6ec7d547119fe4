import { treePath } from '../vault/index.ts';
import type { Catalogue } from '../vault/index.ts';
import type { CopyKeeper } from './copy-keeper.ts';
import type { EditFinder } from './edit-finder.ts';
import type { HistoryKeeper } from './keep-history.ts';
import type { Memory } from './memory.ts';
import type { Reporter } from './report.ts';
import type { Rules } from './rules.ts';
import type { Schedule } from './schedule.ts';
import type { StampEdits } from './stamp-edits.ts';
import type { KeepTree } from './tree-keeper.ts';

type Parts = {
  catalogue: Pick<Catalogue, 'contents' | 'changed'>;
  memory: Memory;
  /** Null when the vault is not there. */
  readRules: () => Rules | null;
  schedule: Schedule;
  edits: EditFinder;
  stamps: Pick<StampEdits, 'clear' | 'run'>;
  copies: CopyKeeper;
  keepTree: KeepTree;
  history: HistoryKeeper;
  reporter: Reporter;
};

/** Does once whatever is due: what changed is found first, so that the rest goes by it. */
export function createPass(parts: Parts): (isStopped: () => boolean) => Promise<void> {
  const { schedule, edits, stamps, copies, history } = parts;
  const { attempt } = parts.reporter;
  /** Nothing may be written, so nothing waits to be. */
  const rest = (): void => {
    stamps.clear();
    copies.clear();
    schedule.dropTree();
    schedule.putOffRecord();
    schedule.setBaseline('later');
  };
  return async (isStopped) => {
    const rules = parts.readRules();
    if (rules === null) {
      schedule.putOffScan();
      schedule.takeHints();
      rest();
      return;
    }
    if (schedule.isDue('scan')) await attempt('comparing all files', () => edits.scan(rules));
    else if (schedule.isDue('look')) await attempt('looking at changed files', () => edits.look(rules));
    if (rules.isVault) await copies.notice();
    else rest();
    if (rules.stamps === 'none') stamps.clear();
    if (isStopped()) return;
    if (schedule.isDue('copies'))
      await attempt('merging conflict copies', () => mergeCopies(parts, isStopped));
    if (schedule.isDue('stamp')) await attempt('stamping', () => stamp(parts, isStopped));
    if (schedule.isDue('tree')) await attempt('writing tree.md', () => writeTree(parts, rules));
    if (schedule.isDue('baseline') && !isStopped())
      await attempt('taking files into history', () => history.makeBaseline());
    if (schedule.isDue('record') && !history.isMakingBaseline() && !isStopped())
      await attempt('recording outside edits', () => history.record());
  };
}

async function mergeCopies({ copies, schedule }: Parts, isStopped: () => boolean): Promise<void> {
  if ((await copies.run(isStopped)) > 0) schedule.noteTreeChange();
}

async function stamp(
  { stamps, schedule, memory, reporter: { report } }: Parts,
  isStopped: () => boolean,
): Promise<void> {
  try {
    const paths = await stamps.run(isStopped);
    if (paths.length === 0) return;
    schedule.noteTreeChange();
    report({ kind: 'stamped', paths });
  } finally {
    memory.flush();
  }
}

async function writeTree(
  { catalogue, keepTree, schedule, reporter: { report } }: Parts,
  { mayCreateTree }: Rules,
): Promise<void> {
  schedule.dropTree();
  const kept = keepTree(await catalogue.contents(), mayCreateTree);
  if (kept === 'written') {
    await catalogue.changed(treePath);
    report({ kind: 'tree' });
  }
  if (kept === 'foreign' && mayCreateTree) report({ kind: 'foreign-tree' });
}
