import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { hashOf, newSecret } from '../server/index.ts';
import type { GivenToken, TokenScope } from '../server/index.ts';

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

export async function readServiceTokens(pool: Pool, vault: string): Promise<GivenToken[]> {
  const { rows } = await pool.query<Omit<GivenToken, 'createdAt'> & { created_at: Date }>(
    'select id, name, hash, scope, created_at from tokens where vault = $1',
    [vault],
  );
  return rows.map(({ created_at, ...token }) => ({ ...token, createdAt: created_at.getTime() }));
}
