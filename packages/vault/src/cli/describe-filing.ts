import { resolveAgentModel, findOwnerProcess } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import type { Cli } from './command.ts';
import { describeWithoutModel } from './describe-without-model.ts';
import type { Waiting } from './describe-without-model.ts';

/** Whether this process has a model to file updates with. */
export function hasModel({ environment }: Cli): boolean {
  return !('missing' in resolveAgentModel(environment));
}

/** Describes which process files waiting updates; `canFileHere` is false when this process has no model for it. */
export function describeFiling(
  { environment }: Cli,
  { state }: Keepsake,
  updates: Waiting = 'it',
): { text: string; canFileHere: boolean } {
  const chosen = resolveAgentModel(environment);
  const owner = findOwnerProcess(state.folder(), Date.now);
  const server = owner === null ? '' : `process ${owner.pid}`;
  if ('missing' in chosen) {
    const why = describeError(chosen.missing);
    // The environment of the serving process may name a model that this one does not have.
    const waiting =
      owner === null
        ? `kept in the queue: ${why}`
        : `kept in the queue: ${server} will file ${updates} once it has a model; here: ${why}`;
    const text = `${waiting}\n${describeWithoutModel(updates)}`;
    return { text, canFileHere: false };
  }
  const text =
    owner === null
      ? `saved in the queue; file ${updates} with: keepsake updates run`
      : `saved in the queue; ${server} will file ${updates}; follow with: keepsake updates`;
  return { text, canFileHere: true };
}
