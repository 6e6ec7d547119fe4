import type { Database } from 'better-sqlite3';
import { errors } from 'oidc-provider';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Keepsake } from '../../app/index.ts';
import { hashOf } from '../auth/secrets.ts';

/** What the authorization server remembers: clients, grants, what was issued, and its keys. */
export type Records = {
  of(model: string): Adapter;
  /** Grants that have not expired, newest first. */
  grants(): Grant[];
  hasGrant(id: string): boolean;
  /** With everything that was issued for it. */
  removeGrant(id: string): boolean;
  /** All of a model that are kept for good, newest first. */
  list(model: string): { id: string; madeAt: number; payload: unknown }[];
  remove(model: string, id: string): boolean;
  /** Kept for good; made when there is none yet. */
  key(name: string, make: () => Promise<object>): Promise<object>;
};

/** What the person has let a client do. */
type Grant = {
  id: string;
  client: string;
  /** Of whoever let it in. */
  account: string;
  /** What a client calls itself that was registered here. */
  clientName: string | undefined;
  madeAt: number;
  /** Scopes by resource. */
  resources: Record<string, string>;
};

type Row = { id: string; payload: string; made_at: number; consumed_at: number | null };

/** To be asked for each time: the database may have become another. */
export function openRecords({ state }: Pick<Keepsake, 'state'>): () => Records {
  return state.follow(({ durable }) => createRecords(durable)).open;
}

/** Names that are told to others anyway; every other id is a secret, and there is only its hash. */
const named = new Set(['Client', 'Grant', 'Key', 'Passkey']);
/** Whoever comes by makes these; the oldest give way. */
const most: Record<string, number> = { Client: 200, Interaction: 1_000, Session: 1_000 };

function createRecords(database: Database): Records {
  const now = (): number => Math.floor(Date.now() / 1_000);
  const { put, forget, bound, get, getByUid, remove, removeIssued, consume, grants, lasting, keep } =
    prepareStatements(database);
  const upsert = database.transaction((model: string, id: string, payload: AdapterPayload, life?: number) => {
    const { grantId, uid, ...rest } = payload;
    put.run({
      model,
      id: keptId(model, id),
      grant: grantId ?? null,
      uid: uid ?? null,
      payload: JSON.stringify(named.has(model) ? payload : { ...rest, grantId, uid, jti: undefined }),
      now: now(),
      until: life === undefined ? null : now() + life,
    });
    forget.run(now());
    if (most[model] !== undefined) bound.run({ model, most: most[model] });
  });
  const payloadOf = (row: Row | undefined, id?: string): AdapterPayload | undefined =>
    row && {
      ...(JSON.parse(row.payload) as AdapterPayload),
      ...(id !== undefined && { jti: id }),
      ...(row.consumed_at !== null && { consumed: row.consumed_at }),
    };
  const find = (model: string, id: string): Row | undefined =>
    get.get(model, keptId(model, id), now()) as Row | undefined;
  return {
    of: (model) => ({
      upsert: async (id, payload, life) => upsert(model, id, payload, life),
      find: async (id) => payloadOf(find(model, id), model === 'Client' ? undefined : id),
      findByUid: async (uid) => payloadOf(getByUid.get(model, uid, now()) as Row | undefined),
      findByUserCode: async () => undefined,
      // Of two who show the same at once, one is first.
      async consume(id) {
        if (consume.run(now(), model, keptId(model, id)).changes === 0)
          throw new errors.InvalidGrant('it was used already');
      },
      destroy: async (id) => void remove.run(model, keptId(model, id)),
      revokeByGrantId: async (id) => void removeIssued.run(id),
    }),
    grants: () =>
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
          madeAt: made_at * 1_000,
          resources,
        };
      }),
    hasGrant: (id) => find('Grant', id) !== undefined,
    removeGrant: database.transaction((id: string) => {
      removeIssued.run(id);
      return remove.run('Grant', id).changes === 1;
    }),
    list: (model) =>
      (lasting.all(model) as Row[]).map(({ id, made_at, payload }) => ({
        id,
        madeAt: made_at * 1_000,
        payload: JSON.parse(payload) as unknown,
      })),
    remove: (model, id) => remove.run(model, keptId(model, id)).changes === 1,
    async key(name, make) {
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
    bound: database.prepare(
      `delete from oauth where model = @model
       and id not in (select id from oauth where model = @model order by made_at desc, id limit @most)
       and id not in (select json_extract(payload, '$.clientId') from oauth where model = 'Grant')`,
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

function keptId(model: string, id: string): string {
  return named.has(model) ? id : hashOf(id).toString('hex');
}
