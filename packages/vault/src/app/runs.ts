import { withoutExcluded } from '../agents/index.ts';
import { mcpConnection, modelBounds, personBounds, tokenConnection, writePolicy } from '../tools/index.ts';
import type { ReadRun, ToolCall, WriteRun } from '../tools/index.ts';
import type { Revision } from '../vault/index.ts';
import type { Visible } from './visible.ts';

type Reader = ToolCall['reader'];

/** A run for a person has no bounds; one for a model has those of a model, and does not see what is kept from models. */
export type Runs = {
  readRun: (reader: Reader) => ReadRun;
  /**
   * The same, with a transaction: what it stages waits for its commit. `token` is the id of the one that it was asked for with,
   * `received` what the person has handed over to be kept as it is.
   */
  writeRun: (reader: Reader, token?: string, received?: ReadonlyMap<Revision, string>) => WriteRun;
};

/** `seen` is what is there for whoever is no model. */
export function createRuns({ seen, forModels }: { seen: Visible; forModels: Visible }): Runs {
  return {
    readRun: (reader) => (reader === 'person' ? seen.readRun(personBounds) : forModels.readRun(modelBounds)),
    writeRun(reader, token, received = new Map()) {
      // Who shows a token is a program, for whomever it says that it reads.
      const program = token === undefined ? null : tokenConnection(token);
      const [visible, bounds, policy] =
        reader === 'person'
          ? ([seen, personBounds, writePolicy(program, { received })] as const)
          : ([forModels, modelBounds, writePolicy(program ?? mcpConnection)] as const);
      return visible.writeRun(bounds, withoutExcluded(policy, visible.isExcluded));
    },
  };
}
