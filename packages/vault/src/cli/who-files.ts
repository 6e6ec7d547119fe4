import { chooseAgentModel, findOwner } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import type { Cli } from './command.ts';

/** Whether this process has a model to file updates with. */
export function hasModel({ environment }: Cli): boolean {
  return !('missing' in chooseAgentModel(environment));
}

/** What makes updates that wait go on; `isPossible` is false when this process has no model to file them. */
export function whoFiles(
  { environment }: Cli,
  { state }: Keepsake,
  waiting = 'it',
): { text: string; isPossible: boolean } {
  const chosen = chooseAgentModel(environment);
  const owner = findOwner(state.folder(), Date.now);
  const server = owner === null ? '' : `the process that serves the vault (${owner.pid})`;
  if ('missing' in chosen) {
    const why = describeError(chosen.missing);
    // Its environment may name a model that this one does not.
    const text =
      owner === null
        ? `${waiting} is kept until there is a model: ${why}; then: keepsake updates run`
        : `${waiting} is kept, and filed by ${server} as soon as that has a model; here ${why}`;
    return { text, isPossible: false };
  }
  const text =
    owner === null
      ? `${waiting} is filed with: keepsake updates run`
      : `${waiting} is filed by ${server}; follow it with: keepsake updates`;
  return { text, isPossible: true };
}
