import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Keepsake } from '../../app/index.ts';
import type { Clock } from '../../contract/index.ts';
import { hashOf, isSameHash, newSecret } from './secrets.ts';

/** What a bearer of a token may do: `write` includes `read`. */
export type TokenScope = 'read' | 'write';

type Token = { id: string; name: string; scope: TokenScope; createdAt: number };

export type Tokens = {
  /** The secret is told once and kept only as a hash. */
  create(name: string, scope: TokenScope): Token & { secret: string };
  /** Those that were given elsewhere, as they are there now: here they are neither made nor taken back. */
  replaceGiven(given: readonly GivenToken[]): void;
  list(): Token[];
  /** One that was made here, by its id, or the beginning of it. */
  revoke(id: string): boolean;
  /** Whether there is a token with this id, all of it. */
  has(id: string): boolean;
  /** The token that this secret belongs to. */
  check(secret: string): Token | null;
};

/** A token as it is kept; by its id it is known later that it was given. */
export type GivenToken = Token & { hash: Buffer };

type Row = { id: string; name: string; hash: Buffer; scope: TokenScope; created_at: number };

/** Who may use the service of this vault. To be asked for each time: the database may have become another. */
export function openTokens({ state }: Pick<Keepsake, 'state'>, clock: Clock = Date.now): () => Tokens {
  return state.follow(({ durable }) => createTokens(durable, clock)).open;
}

/** Tokens of one vault; they open no other. */
function createTokens(database: Database, clock: Clock): Tokens {
  const insert = database.prepare('insert into tokens values (@id, @name, @hash, @scope, @created_at)');
  const all = database.prepare('select * from tokens order by created_at');
  const one = database.prepare('select 1 from tokens where id = ?');
  const remove = database.prepare('delete from tokens where id = ?');
  const rows = (): Row[] => all.all() as Row[];
  return {
    create(name, scope) {
      const secret = `keepsake_${newSecret()}`;
      const row = { id: randomUUID(), name, hash: hashOf(secret), scope, created_at: clock() };
      insert.run(row);
      return { ...tokenFrom(row), secret };
    },
    replaceGiven: database.transaction((given: readonly GivenToken[]) => {
      const wanted = new Map(
        given.map(({ createdAt, id, ...token }) => [
          `${givenPrefix}${id}`,
          { ...token, created_at: createdAt },
        ]),
      );
      for (const { id } of rows()) if (isGiven(id) && !wanted.delete(id)) remove.run(id);
      for (const [id, token] of wanted) insert.run({ id, ...token });
    }),
    list: () => rows().map(tokenFrom),
    revoke(id) {
      const found = rows().filter((row) => row.id.startsWith(id) && !isGiven(row.id));
      return found.length === 1 && found[0] !== undefined && remove.run(found[0].id).changes === 1;
    },
    has: (id) => one.get(id) !== undefined,
    check(secret) {
      const hash = hashOf(secret);
      const found = rows().find((row) => isSameHash(row.hash, hash));
      return found === undefined ? null : tokenFrom(found);
    },
  };
}

const givenPrefix = 'given-';

function isGiven(id: string): boolean {
  return id.startsWith(givenPrefix);
}

function tokenFrom({ id, name, scope, created_at }: Row): Token {
  return { id, name, scope, createdAt: created_at };
}
