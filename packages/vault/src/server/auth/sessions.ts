import { randomUUID } from 'node:crypto';
import type { Clock } from '../../contract/index.ts';
import { maxSessionsPerPrincipal } from './session-store.ts';
import type { SessionStore } from './session-store.ts';
import { hashSecret, timingSafeEqualHashes, generateSecret } from './secrets.ts';

/** A session ends when its token is revoked or its member is removed; `token` is null for a session of the owner. */
type Session = { id: string; token: string | null };

/** Browser sessions that were opened with a one-time link. */
export type Sessions = {
  /** Returns a code that opens one session and expires after five minutes. */
  createCode(token: string | null): string;
  /** Returns the secret of a new session; null if the code is unknown, used or expired. */
  exchange(code: string): string | null;
  /** Returns the session with this secret; null if there is none or it has expired. */
  find(secret: string): Session | null;
  isActive(id: string): boolean;
  /** Also ends codes that were not used yet. */
  revokeAll(): void;
};

const loginCodeTtlMs = 5 * 60_000;
export const sessionTtlMs = 7 * 24 * 60 * 60_000;

type Entry = Session & { hash: Buffer; until: number };

/** Codes are lost when the process ends. Sessions survive: a stored session is restored when a browser first presents it. */
export function createSessions(clock: Clock, store: () => SessionStore): Sessions {
  const codes: Entry[] = [];
  const sessions: Entry[] = [];
  const addBounded = (entries: Entry[], entry: Entry): void => {
    entries.push(entry);
    const own = entries.filter(({ token }) => token === entry.token);
    if (own.length > maxSessionsPerPrincipal) entries.splice(entries.indexOf(own[0] ?? entry), 1);
  };
  const add = (entries: Entry[], ttlMs: number, token: string | null): { secret: string; one: Entry } => {
    const secret = generateSecret();
    const one = { id: randomUUID(), token, hash: hashSecret(secret), until: clock() + ttlMs };
    addBounded(entries, one);
    return { secret, one };
  };
  const findIn = <Of extends { hash: Buffer }>(entries: readonly Of[], hash: Buffer): Of | undefined =>
    entries.find((each) => timingSafeEqualHashes(each.hash, hash));
  const isExpired = ({ until }: Entry): boolean => until <= clock();
  const restoreSession = (hash: Buffer): Entry | undefined => {
    const found = findIn(store().list(), hash);
    if (found === undefined) return undefined;
    const left = Math.min(found.until - Date.now(), sessionTtlMs);
    const one = { ...found, until: clock() + left };
    addBounded(sessions, one);
    return one;
  };
  return {
    createCode: (token) => add(codes, loginCodeTtlMs, token).secret,
    exchange(code) {
      const found = findIn(codes, hashSecret(code));
      if (found === undefined || isExpired(found)) return null;
      codes.splice(codes.indexOf(found), 1);
      const { secret, one } = add(sessions, sessionTtlMs, found.token);
      try {
        store().add({ ...one, until: Date.now() + sessionTtlMs });
      } catch {
        // If the disk is full or fails, the session ends with the process.
      }
      return secret;
    },
    find(secret) {
      const hash = hashSecret(secret);
      const found = findIn(sessions, hash) ?? restoreSession(hash);
      return found === undefined || isExpired(found) ? null : found;
    },
    isActive: (id) => sessions.some((each) => each.id === id && !isExpired(each)),
    revokeAll() {
      store().removeAll();
      sessions.length = 0;
      codes.length = 0;
    },
  };
}
