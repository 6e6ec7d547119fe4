import type { Keepsake } from '../../app/index.ts';
import { tokenConnection } from '../../tools/index.ts';
import type { Caller } from '../auth/auth.ts';
import type { HttpParts } from './parts.ts';
import { Problem } from './problem.ts';

type Found = NonNullable<ReturnType<Keepsake['changes']['find']>>;

/** What waits for the person is theirs to decide: a program that could decide would never be held. */
export function checkPerson(caller: Caller | null): void {
  if (caller?.isPerson !== true) throw new Problem('not-the-person');
}

/** Who may what, and what the service does, is decided by an owner. */
export function checkOwner(caller: Caller | null): void {
  checkPerson(caller);
  if (caller?.role !== 'owner') throw new Problem('not-the-owner');
}

/** What is configured for a machine is for whoever has it. */
export function checkOwnMachine({ isForOthers }: Pick<HttpParts, 'isForOthers'>): void {
  if (isForOthers === true)
    throw new Problem('refused', {
      detail: 'whoever runs this service decides that for all its vaults',
      next: 'ask them',
    });
}

/**
 * A program takes back what it has made itself, as long as nobody has edited the same lines since. What others made it could
 * take away without being asked or counted.
 */
export function checkTakingBack(caller: Caller | null, found: Found | null, conflict?: string): void {
  const own = caller?.token == null ? null : tokenConnection(caller.token).name;
  const isOwn = own !== null && found?.connection === own && conflict === undefined;
  if (found !== null && !isOwn) checkPerson(caller);
}
