import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Keepsake } from '../../app/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import { generateSecret, hashSecret, timingSafeEqualHashes } from '../auth/secrets.ts';

/** A link under which anyone who has it can read one note. */
export type ShareLink = {
  id: string;
  path: VaultPath;
  createdAt: number;
  /** When it ends, in epoch milliseconds. */
  until: number;
  /** The invited member who created it and with whom it ends; null for the owner of the machine. */
  maker: string | null;
};

/** Only the hash of a secret is stored. */
export type ShareLinks = {
  /** The secret is returned once. */
  create(link: Omit<ShareLink, 'id'>): ShareLink & { secret: string };
  /** Newest first. */
  list(): ShareLink[];
  find(secret: string): ShareLink | null;
  remove(id: string): boolean;
};

/** Call the returned function for each use: the database may be replaced while the process runs. */
export function openShareLinks({ state }: Pick<Keepsake, 'state'>): () => ShareLinks {
  return state.derive(({ durable }) => createShareLinks(durable)).get;
}

type Row = {
  id: string;
  hash: Buffer;
  path: VaultPath;
  created_at: number;
  until: number;
  maker: string | null;
};

function createShareLinks(database: Database): ShareLinks {
  const insert = database.prepare(
    'insert into share_links values (@id, @hash, @path, @createdAt, @until, @maker)',
  );
  const all = database.prepare('select * from share_links order by created_at desc, id');
  const remove = database.prepare('delete from share_links where id = ?');
  const toLink = ({ id, path, created_at, until, maker }: Row): ShareLink => ({
    id,
    path,
    createdAt: created_at,
    until,
    maker,
  });
  return {
    create(link) {
      const secret = generateSecret();
      const added = { ...link, id: randomUUID() };
      insert.run({ ...added, hash: hashSecret(secret) });
      return { ...added, secret };
    },
    list: () => (all.all() as Row[]).map(toLink),
    find(secret) {
      const hash = hashSecret(secret);
      const found = (all.all() as Row[]).find((row) => timingSafeEqualHashes(row.hash, hash));
      return found === undefined ? null : toLink(found);
    },
    remove: (id) => remove.run(id).changes === 1,
  };
}
