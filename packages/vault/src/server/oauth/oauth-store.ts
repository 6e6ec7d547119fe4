import type { Database } from 'better-sqlite3';
import { errors } from 'oidc-provider';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Keepsake } from '../../app/index.ts';
import type { Clock } from '../../contract/index.ts';
import { hashSecret } from '../auth/secrets.ts';

/** The storage of the authorization server: clients, grants, issued tokens and keys. */
export type OAuthStore = {
  adapterFor(model: string): Adapter;
  /** Grants that have not expired, newest first. */
  listGrants(): Grant[];
  hasGrant(id: string): boolean;
  /** Also removes the tokens that were issued for it. */
  removeGrant(id: string): boolean;
  /** All records of a model that do not expire, newest first. */
  listPermanent(model: string): { id: string; createdAt: number; payload: unknown }[];
  remove(model: string, id: string): boolean;
  /** Returns a permanent record, which is created with `make` if it does not exist. */
  getOrCreateKey(name: string, make: () => Promise<object>): Promise<object>;
};

/** The consent of a user to a client. */
type Grant = {
  id: string;
  client: string;
  /** The account that consented. */
  account: string;
  /** The name of a client that was registered here. */
  clientName: string | undefined;
  createdAt: number;
  /** Scopes by resource. */
  resources: Record<string, string>;
};

type Row = { id: string; payload: string; made_at: number; consumed_at: number | null };

/** Call the returned function for each use: the database may be replaced while the process runs. */
export function openOAuthStore(
  { state }: Pick<Keepsake, 'state'>,
  clock: Clock = Date.now,
): () => OAuthStore {
  return state.derive(({ durable }) => createOAuthStore(durable, clock)).get;
}

/** Models with public ids. All other ids are secrets and stored only as a hash. */
const publicIdModels = new Set(['Client', 'Grant', 'Key', 'Passkey']);
/**
 * Unauthenticated callers can create these records. At the limit the oldest is evicted, but none that is younger than
 * ten minutes, because someone may be signing in with it; the new one is refused instead.
 */
const maxRecordsByModel: Readonly<Record<string, number>> = {
  Client: 4_000,
  Interaction: 4_000,
  Session: 4_000,
  ReplayDetection: 10_000,
};
const minRecordAgeSeconds = 600;
/** Maximum size of such a record. */
const maxRecordBytes = 16_000;

function createOAuthStore(database: Database, clock: Clock): OAuthStore {
  const now = (): number => Math.floor(clock() / 1_000);
  const { put, forget, count, evict, get, getByUid, remove, removeIssued, consume, grants, lasting, keep } =
    prepareStatements(database);
  const upsert = database.transaction((model: string, id: string, payload: AdapterPayload, life?: number) => {
    const { grantId, uid, ...rest } = payload;
    const stored = JSON.stringify(
      publicIdModels.has(model) ? payload : { ...rest, grantId, uid, jti: undefined },
    );
    const maxRecords = maxRecordsByModel[model];
    if (maxRecords !== undefined && Buffer.byteLength(stored) > maxRecordBytes)
      throw new errors.InvalidRequest('the request is too long');
    put.run({
      model,
      id: toStorageId(model, id),
      grant: grantId ?? null,
      uid: uid ?? null,
      payload: stored,
      now: now(),
      until: life === undefined ? null : now() + life,
    });
    forget.run(now());
    const { total } = count.get(model) as { total: number };
    if (maxRecords === undefined || total <= maxRecords) return;
    const { changes } = evict.run({ model, excess: total - maxRecords, before: now() - minRecordAgeSeconds });
    if (changes < total - maxRecords)
      throw Object.assign(new errors.TemporarilyUnavailable('too many requests; retry in ten minutes'), {
        status: 429,
        statusCode: 429,
      });
  });
  const payloadOf = (row: Row | undefined, id?: string): AdapterPayload | undefined =>
    row && {
      ...(JSON.parse(row.payload) as AdapterPayload),
      ...(id !== undefined && { jti: id }),
      ...(row.consumed_at !== null && { consumed: row.consumed_at }),
    };
  const find = (model: string, id: string): Row | undefined =>
    get.get(model, toStorageId(model, id), now()) as Row | undefined;
  return {
    adapterFor: (model) => ({
      upsert: async (id, payload, life) => upsert(model, id, payload, life),
      find: async (id) => payloadOf(find(model, id), model === 'Client' ? undefined : id),
      findByUid: async (uid) => payloadOf(getByUid.get(model, uid, now()) as Row | undefined),
      findByUserCode: async () => undefined,
      // Of two concurrent attempts, only one succeeds.
      async consume(id) {
        if (consume.run(now(), model, toStorageId(model, id)).changes === 0)
          throw new errors.InvalidGrant('already used');
      },
      destroy: async (id) => void remove.run(model, toStorageId(model, id)),
      revokeByGrantId: async (id) => void removeIssued.run(id),
    }),
    listGrants: () =>
      (grants.all(now()) as (Row & { name: string | null })[]).map(({ id, payload, made_at, name }) => {
        const { clientId, accountId, resources } = JSON.parse(payload) as Pick<Grant, 'resources'> & {
          clientId: string;
          accountId: string;
        };
        return {
          id,
          client: clientId,
          account: accountId,
          clientName: name ?? undefined,
          createdAt: made_at * 1_000,
          resources,
        };
      }),
    hasGrant: (id) => find('Grant', id) !== undefined,
    removeGrant: database.transaction((id: string) => {
      removeIssued.run(id);
      return remove.run('Grant', id).changes === 1;
    }),
    listPermanent: (model) =>
      (lasting.all(model) as Row[]).map(({ id, made_at, payload }) => ({
        id,
        createdAt: made_at * 1_000,
        payload: JSON.parse(payload) as unknown,
      })),
    remove: (model, id) => remove.run(model, toStorageId(model, id)).changes === 1,
    async getOrCreateKey(name, make) {
      if (find('Key', name) === undefined) keep.run(name, JSON.stringify(await make()), now());
      return JSON.parse(find('Key', name)?.payload ?? '{}') as object;
    },
  };
}

function prepareStatements(database: Database) {
  return {
    put: database.prepare(
      `insert into oauth values (@model, @id, @grant, @uid, @payload, @now, @until, null)
       on conflict do update set grant_id = @grant, uid = @uid, payload = @payload, until = @until`,
    ),
    forget: database.prepare('delete from oauth where until < ?'),
    count: database.prepare(
      `select count(*) total from oauth where model = ?
       and id not in (select json_extract(payload, '$.clientId') from oauth where model = 'Grant')`,
    ),
    evict: database.prepare(
      `delete from oauth where model = @model and id in (
         select id from oauth where model = @model and made_at < @before
         and id not in (select json_extract(payload, '$.clientId') from oauth where model = 'Grant')
         order by made_at, id limit @excess)`,
    ),
    get: database.prepare('select * from oauth where model = ? and id = ? and (until is null or until >= ?)'),
    getByUid: database.prepare('select * from oauth where model = ? and uid = ? and until >= ?'),
    remove: database.prepare('delete from oauth where model = ? and id = ?'),
    removeIssued: database.prepare('delete from oauth where grant_id = ?'),
    consume: database.prepare(
      'update oauth set consumed_at = ? where model = ? and id = ? and consumed_at is null',
    ),
    grants: database.prepare(
      `select id, made_at, payload,
         (select json_extract(c.payload, '$.client_name') from oauth c
           where c.model = 'Client' and c.id = json_extract(g.payload, '$.clientId')) name
       from oauth g where model = 'Grant' and until >= ? order by made_at desc, id`,
    ),
    lasting: database.prepare(
      'select * from oauth where model = ? and until is null order by made_at desc, id',
    ),
    keep: database.prepare(
      `insert into oauth values ('Key', ?, null, null, ?, ?, null, null) on conflict do nothing`,
    ),
  };
}

function toStorageId(model: string, id: string): string {
  return publicIdModels.has(model) ? id : hashSecret(id).toString('hex');
}
