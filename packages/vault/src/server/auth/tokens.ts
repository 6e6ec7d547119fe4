import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Keepsake } from '../../app/index.ts';
import type { Clock } from '../../contract/index.ts';
import { hashSecret, timingSafeEqualHashes, generateSecret } from './secrets.ts';

/** The permissions of a token; `write` includes `read`. */
export type TokenScope = 'read' | 'write';

/** A token with the scope `calendar` reads the calendar feed and nothing else. */
export type StoredScope = TokenScope | 'calendar';

type Token = {
  id: string;
  name: string;
  scope: StoredScope;
  createdAt: number;
  /** The invited member who created it and with whom it ends; null for the owner of the machine and the service. */
  maker: string | null;
};

export type Tokens = {
  /** The secret is returned once and stored only as a hash. */
  create(name: string, scope: StoredScope, maker?: string | null): Token & { secret: string };
  /** Replaces all tokens that the service manages; they cannot be created or revoked here. */
  replaceManaged(managed: readonly ManagedToken[]): void;
  list(): Token[];
  /** Revokes a token that was created here, by its id or a unique prefix of it. */
  revoke(id: string): boolean;
  /** Returns the token with exactly this id; null if there is none. */
  find(id: string): Token | null;
  /** Returns the token for the API with this secret; null if there is none. */
  verify(secret: string): (Token & { scope: TokenScope }) | null;
  /** Returns the token for the calendar feed with this secret; null if there is none. */
  verifyCalendar(secret: string): Token | null;
};

/** A token that was issued by the service. A prefix of its stored id marks it as managed. */
type ManagedToken = Omit<Token, 'maker' | 'scope'> & { scope: TokenScope; hash: Buffer };

type Row = {
  id: string;
  name: string;
  hash: Buffer;
  scope: StoredScope;
  created_at: number;
  maker: string | null;
};

/** Opens the tokens of a vault. Call the returned function for each use: the database may be replaced while the process runs. */
export function openTokens({ state }: Pick<Keepsake, 'state'>, clock: Clock = Date.now): () => Tokens {
  return state.derive(({ durable }) => createTokens(durable, clock)).get;
}

function createTokens(database: Database, clock: Clock): Tokens {
  const insert = database.prepare(
    'insert into tokens values (@id, @name, @hash, @scope, @created_at, @maker)',
  );
  const all = database.prepare('select * from tokens order by created_at');
  const one = database.prepare('select * from tokens where id = ?');
  const remove = database.prepare('delete from tokens where id = ?');
  const rows = (): Row[] => all.all() as Row[];
  const findBySecret = (secret: string): Token | null => {
    const hash = hashSecret(secret);
    const found = rows().find((row) => timingSafeEqualHashes(row.hash, hash));
    return found === undefined ? null : tokenFrom(found);
  };
  return {
    create(name, scope, maker = null) {
      const secret = `keepsake_${generateSecret()}`;
      const row = { id: randomUUID(), name, hash: hashSecret(secret), scope, created_at: clock(), maker };
      insert.run(row);
      return { ...tokenFrom(row), secret };
    },
    replaceManaged: database.transaction((managed: readonly ManagedToken[]) => {
      const newTokens = new Map(
        managed.map(({ createdAt, id, ...token }) => [
          `${managedPrefix}${id}`,
          { ...token, created_at: createdAt, maker: null },
        ]),
      );
      for (const { id } of rows()) if (isManaged(id) && !newTokens.delete(id)) remove.run(id);
      for (const [id, token] of newTokens) insert.run({ id, ...token });
    }),
    list: () => rows().map(tokenFrom),
    revoke(id) {
      const found = rows().filter((row) => row.id.startsWith(id) && !isManaged(row.id));
      return found.length === 1 && found[0] !== undefined && remove.run(found[0].id).changes === 1;
    },
    find(id) {
      const row = one.get(id) as Row | undefined;
      return row === undefined ? null : tokenFrom(row);
    },
    verify(secret) {
      const token = findBySecret(secret);
      return token === null || token.scope === 'calendar' ? null : { ...token, scope: token.scope };
    },
    verifyCalendar(secret) {
      const token = findBySecret(secret);
      return token?.scope === 'calendar' ? token : null;
    },
  };
}

const managedPrefix = 'given-';

function isManaged(id: string): boolean {
  return id.startsWith(managedPrefix);
}

function tokenFrom({ id, name, scope, created_at, maker }: Row): Token {
  return { id, name, scope, createdAt: created_at, maker };
}
