import type { Principal } from '../auth/auth.ts';
import { modelPrincipalId, ownerPrincipalId } from './answer-store.ts';

/** The id under which answers of this caller are stored. A browser session that was opened with a token belongs to the token. */
export function getPrincipalId(caller: Principal | null): string {
  if (caller?.isUser === true) return caller.memberId ?? ownerPrincipalId;
  return caller?.credentialId ?? modelPrincipalId;
}
