import { withoutExcluded } from '../agents/index.ts';
import { createTransaction } from '../changes/index.ts';
import type { Changes, Policy } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { SearchEngine } from '../search/index.ts';
import { createReadRun, createWriteRun, modelBounds, personBounds, writePolicy } from '../tools/index.ts';
import type { ReadRun, ToolCall, WriteRun } from '../tools/index.ts';
import type { VaultView } from '../vault/index.ts';
import type { Agents } from './agents.ts';

type Reader = ToolCall['reader'];

/** A run for a person has no bounds; one for a model has those of a model, and does not see what is kept from models. */
export type Runs = {
  readRun: (reader: Reader) => ReadRun;
  /** The same, with a transaction: what it stages waits for its commit. */
  writeRun: (reader: Reader) => WriteRun;
};

type Parts = {
  view: VaultView;
  search: Pick<SearchEngine, 'search'>;
  changes: Changes;
  agents: Agents;
  clock: Clock;
};

export function createRuns({ view, search, changes, agents, clock }: Parts): Runs {
  const transaction = (over: VaultView, policy: Policy) =>
    createTransaction(over, changes.writer, policy, clock);
  return {
    readRun(reader) {
      if (reader === 'person') return createReadRun(view, personBounds, search);
      const visible = agents.visible();
      return createReadRun(visible.view, modelBounds, visible);
    },
    writeRun(reader) {
      if (reader === 'person')
        return createWriteRun(transaction(view, writePolicy('confirm')), personBounds, search);
      const visible = agents.visible();
      const policy = withoutExcluded(writePolicy('wait'), visible.isExcluded);
      return createWriteRun(transaction(visible.view, policy), modelBounds, visible);
    },
  };
}
