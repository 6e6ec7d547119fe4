import { randomUUID } from 'node:crypto';
import { hashSecret, generateSecret } from '../../../vault/src/server/index.ts';
import type { TokenScope } from '../../../vault/src/server/index.ts';
import { HostingError } from './error.ts';
import { changeAccess } from './vault-access.ts';
import type { AccessParts } from './vault-access.ts';

/** Creates a token for one vault, accepted by every node. The secret is returned only here. */
export async function createServiceToken(
  parts: AccessParts,
  { vault, name, scope }: { vault: string; name: string; scope: TokenScope },
): Promise<string> {
  const secret = `keepsake_${generateSecret()}`;
  const hash = hashSecret(secret).toString('hex');
  await changeAccess(parts, vault, ({ tokens }) => ({
    tokens: [...tokens, { id: randomUUID(), name, scope, hash, createdAt: Date.now() }],
  }));
  return secret;
}

/** Revokes the tokens of this name. Nodes refuse them within seconds. Returns how many there were. */
export async function removeServiceToken(
  parts: AccessParts,
  { vault, name }: { vault: string; name: string },
): Promise<number> {
  let count = 0;
  await changeAccess(parts, vault, ({ tokens }) => {
    const remaining = tokens.filter((token) => token.name !== name);
    count = tokens.length - remaining.length;
    if (count === 0)
      throw new HostingError('bad-settings', `vault ${vault} has no token named ${name}`, {
        hint: `list them with: keepsake-service cluster access ${vault}`,
      });
    return { tokens: remaining };
  });
  return count;
}
