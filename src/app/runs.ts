import { withoutExcluded } from '../agents/index.ts';
import { createTransaction } from '../changes/index.ts';
import type { Changes } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { SearchEngine } from '../search/index.ts';
import { createReadRun, createWriteRun, personBounds, writePolicy } from '../tools/index.ts';
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
  return {
    readRun: (reader) =>
      reader === 'person' ? createReadRun(view, personBounds, search) : agents.visible().readRun(),
    writeRun(reader) {
      if (reader === 'person') {
        const transaction = createTransaction(view, changes.writer, writePolicy('confirm'), clock);
        return createWriteRun(transaction, personBounds, search);
      }
      const { writeRun, isExcluded } = agents.visible();
      return writeRun(withoutExcluded(writePolicy('wait'), isExcluded));
    },
  };
}
