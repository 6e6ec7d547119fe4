import type { Keepsake } from '../../app/index.ts';
import type { ToolCall } from '../../tools/index.ts';
import type { Auth, Principal } from '../auth/auth.ts';
import type { HttpAppOptions, RouteContext } from './http-options.ts';
import { Problem } from './problem.ts';

type Found = NonNullable<ReturnType<Keepsake['changes']['find']>>;

/**
 * Decisions on held changes are for the user: holding the changes of a client would be pointless if it could approve
 * them itself.
 */
export function requireUser(caller: Principal | null): void {
  if (caller?.isUser !== true) throw new Problem('not-the-person');
}

/** Only owners manage members and access, and remove words for good. */
export function requireOwner(caller: Principal | null): void {
  requireUser(caller);
  if (caller?.role !== 'owner') throw new Problem('not-the-owner');
}

/**
 * Only the operator decides about the machine, whose settings apply to all of its vaults: the command line, and the
 * browsers that it signed in. An invited owner decides about one vault.
 */
export function requireOperator(
  caller: Principal | null,
  { isManaged }: Pick<HttpAppOptions, 'isManaged'>,
): void {
  requireOwner(caller);
  if (isManaged === true || !isOperator(caller)) throw new Problem('not-the-operator');
}

export function isOperator(caller: Principal | null): boolean {
  return caller?.isUser === true && caller.role === 'owner' && caller.memberId === null;
}

/**
 * A client may undo only its own changes, and only if the same lines were not edited since. An undo of other changes would
 * bypass approval and the limits on deletion.
 */
export function requireUndoPermission(
  caller: Principal | null,
  found: Found | null,
  conflict?: string,
): void {
  const connection = getConnectionName(caller);
  const isOwn = connection !== undefined && found?.connection === connection && conflict === undefined;
  if (found !== null && !isOwn) requireUser(caller);
}

/** A client that files an update over MCP writes nothing beside its run, by no other way either. */
export function requireNoOpenRun(
  caller: Principal | null,
  { clientRuns }: Pick<RouteContext, 'clientRuns'>,
): void {
  const connection = getConnectionName(caller);
  const run = connection === undefined ? null : clientRuns.findOpen(connection);
  if (run !== null)
    throw new Problem('wrong-state', {
      detail: `this client is filing an update in run ${run}`,
      hint: 'finish it with memory_done over MCP, or wait ten minutes',
    });
}

/** The sender of a change: the connection of a client, and a check of access for the moment when the change is written. */
export function toSender(
  caller: Principal | null,
  auth: Pick<Auth, 'isStillValid'>,
): Pick<ToolCall, 'connection' | 'assertAllowed'> {
  return { connection: getConnectionName(caller), assertAllowed: () => requireAccess(caller, auth) };
}

/** The credential may have been revoked since the request was authenticated. */
export function requireAccess(caller: Principal | null, auth: Pick<Auth, 'isStillValid'>): void {
  if (caller !== null && !auth.isStillValid(caller)) throw new Problem('unauthorized');
}

/** The name of the connection of a client; undefined for the user. */
function getConnectionName(caller: Principal | null): string | undefined {
  return caller === null || caller.isUser ? undefined : caller.id;
}
