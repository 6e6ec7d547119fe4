import type { Keepsake } from '../app/index.ts';
import { pluralize } from '../vault/index.ts';
import type { Cli } from './command.ts';
import { note } from './print-outcome.ts';

/** Says on standard error that a search could not find what is still in the queue. */
export function noteWaitingUpdates(cli: Cli, { agents, state }: Pick<Keepsake, 'agents' | 'state'>): void {
  const waiting = state.hasDurable() ? agents.updates.counts().waiting : 0;
  if (waiting > 0)
    note(cli, `${pluralize(waiting, 'update')} not filed yet and not searched; see: keepsake updates`);
}
