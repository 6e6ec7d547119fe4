import { chooseAgentModel, findOwner, readEnvironment } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { describeError } from '../contract/index.ts';

/** What makes updates that wait go on; `isPossible` is false when there is no model to file them. */
export function whoFiles({ state }: Keepsake, waiting = 'it'): { text: string; isPossible: boolean } {
  const chosen = chooseAgentModel(readEnvironment());
  const owner = findOwner(state.folder(), Date.now);
  if ('missing' in chosen) {
    const then =
      owner === null
        ? 'then: keepsake updates run'
        : 'the process that serves the vault then goes on by itself';
    return {
      text: `${waiting} is kept until there is a model: ${describeError(chosen.missing)}; ${then}`,
      isPossible: false,
    };
  }
  const text =
    owner === null
      ? `${waiting} is filed with: keepsake updates run`
      : `${waiting} is filed by the process that serves the vault (${owner.pid}); follow it with: keepsake updates`;
  return { text, isPossible: true };
}
