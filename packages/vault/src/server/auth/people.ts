import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Keepsake } from '../../app/index.ts';
import { hashOf, newSecret } from './secrets.ts';
import type { TokenScope } from './tokens.ts';

/** What somebody may do in a vault: look, write as well, or decide who else may. */
export type Role = 'owner' | 'writer' | 'reader';

/** Somebody who was invited, and the hash of what opens the first session. */
export type Invited = {
  id: string;
  name: string;
  role: Role;
  createdAt: number;
  hash: Buffer;
  until: number;
};

type Person = { id: string; name: string; role: Role; createdAt: number; isInvited: boolean };

/** Who else may use a vault, besides whoever has it on their machine. */
export type People = {
  list(): Person[];
  find(id: string): Person | null;
  /** The secret opens one session, once, within a week. */
  invite(name: string, role: Role): Person & { secret: string };
  /** Somebody who was invited elsewhere; a second time it changes nothing. */
  takeInvited(somebody: Invited): void;
  /** Another invitation for somebody who is known; null for nobody. */
  inviteAgain(id: string): string | null;
  /** Whose invitation it is; it is used up. */
  accept(secret: string): string | null;
  setRole(id: string, role: Role): boolean;
  /** With everything that was let in for them. */
  remove(id: string): boolean;
};

/** The one place that says what a role allows. */
export function scopeOf(role: Role): TokenScope {
  return role === 'reader' ? 'read' : 'write';
}

const invitationLife = 7 * 24 * 60 * 60_000;

export function newInvitation(): { secret: string; hash: Buffer; until: number } {
  const secret = newSecret();
  return { secret, hash: hashOf(secret), until: Date.now() + invitationLife };
}

/** To be asked for each time: the database may have become another. */
export function openPeople({ state }: Pick<Keepsake, 'state'>): () => People {
  return state.follow(({ durable }) => createPeople(durable)).open;
}

type Row = { id: string; name: string; role: Role; created_at: number; invitation: Buffer | null };

function createPeople(database: Database): People {
  const all = database.prepare('select * from people order by created_at, id');
  const one = database.prepare('select * from people where id = ?');
  const add = database.prepare(
    'insert into people values (@id, @name, @role, @createdAt, @hash, @until) on conflict do nothing',
  );
  const renew = database.prepare('update people set invitation = @hash, until = @until where id = @id');
  const invited = database.prepare('select id from people where invitation = ? and until > ?');
  const use = database.prepare('update people set invitation = null, until = null where id = ?');
  const change = database.prepare('update people set role = ? where id = ?');
  const forget = [
    'delete from people where id = @id',
    'delete from sessions where token = @id',
    'delete from answers where asker = @id',
    `delete from oauth where grant_id in
       (select id from oauth where model = 'Grant' and json_extract(payload, '$.accountId') = @id)`,
    `delete from oauth where model = 'Grant' and json_extract(payload, '$.accountId') = @id`,
    `delete from oauth where model = 'Passkey' and json_extract(payload, '$.person') = @id`,
  ].map((text) => database.prepare(text));
  const shown = ({ id, name, role, created_at, invitation }: Row): Person => ({
    id,
    name,
    role,
    createdAt: created_at,
    isInvited: invitation !== null,
  });
  const find = (id: string): Person | null => {
    const row = one.get(id) as Row | undefined;
    return row === undefined ? null : shown(row);
  };
  return {
    list: () => (all.all() as Row[]).map(shown),
    find,
    invite(name, role) {
      const { secret, ...kept } = newInvitation();
      const person = { id: randomUUID(), name, role, createdAt: Date.now() };
      add.run({ ...person, ...kept });
      return { ...person, isInvited: true, secret };
    },
    takeInvited: (somebody) => void add.run(somebody),
    inviteAgain(id) {
      const { secret, ...kept } = newInvitation();
      return renew.run({ id, ...kept }).changes === 1 ? secret : null;
    },
    accept: database.transaction((secret: string) => {
      const found = invited.get(hashOf(secret), Date.now()) as { id: string } | undefined;
      if (found !== undefined) use.run(found.id);
      return found?.id ?? null;
    }),
    setRole: (id, role) => change.run(role, id).changes === 1,
    remove: database.transaction((id: string) => {
      const [people] = forget.map((statement) => statement.run({ id }).changes);
      return people === 1;
    }),
  };
}
