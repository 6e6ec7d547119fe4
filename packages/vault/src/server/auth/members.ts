import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Keepsake } from '../../app/index.ts';
import { hashSecret, generateSecret } from './secrets.ts';
import type { TokenScope } from './tokens.ts';

/** A reader can read, a writer can also write, and an owner can also manage members. */
export type Role = 'owner' | 'writer' | 'reader';

/** An invited member, with the hash of the secret that opens their first session. */
type Invitation = {
  id: string;
  name: string;
  role: Role;
  createdAt: number;
  hash: Buffer;
  until: number;
};

type Member = { id: string; name: string; role: Role; createdAt: number; isInvited: boolean };

/** The invited members of a vault. The owner of the machine is not among them. */
export type Members = {
  list(): Member[];
  find(id: string): Member | null;
  /** The secret opens one session and expires after a week. */
  invite(name: string, role: Role, inviter?: string | null): Member & { secret: string };
  /** Adds a member who was invited by the service; adding them again has no effect. */
  addInvitation(invitation: Invitation): void;
  /** Returns the secret of a new invitation; null if there is no such member. */
  renewInvitation(id: string, inviter?: string | null): string | null;
  /** Redeems an invitation and returns the id of its member; null if it is invalid. */
  redeemInvitation(secret: string): string | null;
  /** Also ends open invitations that they created as an owner, and the links of a reader, who may not share notes. */
  setRole(id: string, role: Role): boolean;
  /** Also removes their sessions, tokens, passkeys, answers and grants, and links and open invitations that they created. */
  remove(id: string): boolean;
};

export function scopeForRole(role: Role): TokenScope {
  return role === 'reader' ? 'read' : 'write';
}

const invitationTtlMs = 7 * 24 * 60 * 60_000;

export function createInvitation(): { secret: string; hash: Buffer; until: number } {
  const secret = generateSecret();
  return { secret, hash: hashSecret(secret), until: Date.now() + invitationTtlMs };
}

/** Call the returned function for each use: the database may be replaced while the process runs. */
export function openMembers({ state }: Pick<Keepsake, 'state'>): () => Members {
  return state.derive(({ durable }) => createPeople(durable)).get;
}

type Row = { id: string; name: string; role: Role; created_at: number; invitation: Buffer | null };

function createPeople(database: Database): Members {
  const all = database.prepare('select * from people order by created_at, id');
  const one = database.prepare('select * from people where id = ?');
  const add = database.prepare(
    'insert into people values (@id, @name, @role, @createdAt, @hash, @until, @inviter) on conflict do nothing',
  );
  const renew = database.prepare(
    'update people set invitation = @hash, until = @until, inviter = @inviter where id = @id',
  );
  const invited = database.prepare('select id from people where invitation = ? and until > ?');
  const use = database.prepare('update people set invitation = null, until = null where id = ?');
  const change = database.prepare('update people set role = ? where id = ?');
  const endInvitations = 'update people set invitation = null, until = null where inviter = @id';
  const endInvitationsOf = database.prepare(endInvitations);
  const forget = [
    'delete from people where id = @id',
    endInvitations,
    'delete from sessions where token = @id or token in (select id from tokens where maker = @id)',
    'delete from tokens where maker = @id',
    'delete from answers where asker = @id',
    `delete from oauth where grant_id in
       (select id from oauth where model = 'Grant' and json_extract(payload, '$.accountId') = @id)`,
    `delete from oauth where model = 'Grant' and json_extract(payload, '$.accountId') = @id`,
    `delete from oauth where model = 'Passkey' and json_extract(payload, '$.person') = @id`,
  ].map((text) => database.prepare(text));
  const toMember = ({ id, name, role, created_at, invitation }: Row): Member => ({
    id,
    name,
    role,
    createdAt: created_at,
    isInvited: invitation !== null,
  });
  const find = (id: string): Member | null => {
    const row = one.get(id) as Row | undefined;
    return row === undefined ? null : toMember(row);
  };
  return {
    list: () => (all.all() as Row[]).map(toMember),
    find,
    invite(name, role, inviter = null) {
      const { secret, ...invitation } = createInvitation();
      const person = { id: randomUUID(), name, role, createdAt: Date.now() };
      add.run({ ...person, ...invitation, inviter });
      return { ...person, isInvited: true, secret };
    },
    addInvitation: (invitation) => void add.run({ ...invitation, inviter: null }),
    renewInvitation(id, inviter = null) {
      const { secret, ...invitation } = createInvitation();
      return renew.run({ id, inviter, ...invitation }).changes === 1 ? secret : null;
    },
    redeemInvitation: database.transaction((secret: string) => {
      const found = invited.get(hashSecret(secret), Date.now()) as { id: string } | undefined;
      if (found !== undefined) use.run(found.id);
      return found?.id ?? null;
    }),
    setRole: database.transaction((id: string, role: Role) => {
      if (role !== 'owner') endInvitationsOf.run({ id });
      return change.run(role, id).changes === 1;
    }),
    remove: database.transaction((id: string) => {
      const [people] = forget.map((statement) => statement.run({ id }).changes);
      return people === 1;
    }),
  };
}
