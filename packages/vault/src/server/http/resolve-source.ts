import type { UpdateInput } from '../../contract/index.ts';
import type { Principal } from '../auth/auth.ts';

type Source = UpdateInput['source'];

/**
 * The source of an update. Input sent with a token is never attributed to the user, whatever the request says; a process
 * of the user names the source itself. Input with files is attributed to the user only if the request says so.
 */
export function resolveSource(
  caller: Principal | null,
  files: UpdateInput['files'],
  claimed?: Partial<Source>,
): Source {
  // An invited member cannot claim another name.
  const name = (caller?.memberId == null ? claimed?.name : null) ?? caller?.name ?? 'http';
  if (caller === null || (caller.kind !== 'owner' && !caller.isUser)) return { kind: 'other', name };
  const isUserAuthored = caller.isUser && files.length === 0;
  return { kind: claimed?.kind ?? (isUserAuthored ? 'person' : 'other'), name };
}

/** The origin of a change, recorded in history. Invited members get a prefix that clients cannot forge. */
export function resolveOrigin(caller: Principal | null, claimed?: string): string {
  return memberOrigin(caller) ?? claimed ?? caller?.name ?? 'http';
}

/** The origin of the changes of an invited member; undefined for all other callers. */
export function memberOrigin(caller: Principal | null): string | undefined {
  return caller?.isUser === true && caller.memberId !== null ? `person: ${caller.name}` : undefined;
}
