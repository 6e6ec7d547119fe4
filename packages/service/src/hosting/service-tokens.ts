import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { hashOf, newSecret } from '../../../vault/src/server/index.ts';
import type { GivenToken, TokenScope } from '../../../vault/src/server/index.ts';

/** A token for one vault. The secret is told once; every node knows it from then on. */
export async function createServiceToken(
  pool: Pool,
  { vault, name, scope }: { vault: string; name: string; scope: TokenScope },
): Promise<string> {
  const secret = `keepsake_${newSecret()}`;
  await pool.query('insert into tokens (id, vault, name, hash, scope) values ($1, $2, $3, $4, $5)', [
    randomUUID(),
    vault,
    name,
    hashOf(secret),
    scope,
  ]);
  return secret;
}

/** Of these vaults. */
export async function readServiceTokens(
  pool: Pool,
  vaults: readonly string[],
): Promise<Map<string, GivenToken[]>> {
  const { rows } = await pool.query<Omit<GivenToken, 'createdAt'> & { vault: string; created_at: Date }>(
    'select vault, id, name, hash, scope, created_at from tokens where vault = any($1)',
    [vaults],
  );
  const given = new Map(vaults.map((vault) => [vault, [] as GivenToken[]]));
  for (const { vault, created_at, ...token } of rows)
    given.get(vault)?.push({ ...token, createdAt: created_at.getTime() });
  return given;
}
