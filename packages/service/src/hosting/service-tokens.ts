import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { hashSecret, generateSecret } from '../../../vault/src/server/index.ts';
import type { ManagedToken, TokenScope } from '../../../vault/src/server/index.ts';

/** Creates a token for one vault, accepted by every node. The secret is returned only here. */
export async function createServiceToken(
  pool: Pool,
  { vault, name, scope }: { vault: string; name: string; scope: TokenScope },
): Promise<string> {
  const secret = `keepsake_${generateSecret()}`;
  await pool.query('insert into tokens (id, vault, name, hash, scope) values ($1, $2, $3, $4, $5)', [
    randomUUID(),
    vault,
    name,
    hashSecret(secret),
    scope,
  ]);
  return secret;
}

/** Lists the tokens of these vaults. */
export async function listServiceTokens(
  pool: Pool,
  vaults: readonly string[],
): Promise<Map<string, ManagedToken[]>> {
  const { rows } = await pool.query<Omit<ManagedToken, 'createdAt'> & { vault: string; created_at: Date }>(
    'select vault, id, name, hash, scope, created_at from tokens where vault = any($1)',
    [vaults],
  );
  const tokensByVault = new Map(vaults.map((vault) => [vault, [] as ManagedToken[]]));
  for (const { vault, created_at, ...token } of rows)
    tokensByVault.get(vault)?.push({ ...token, createdAt: created_at.getTime() });
  return tokensByVault;
}
