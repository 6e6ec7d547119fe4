import { randomUUID } from 'node:crypto';
import type { Clock } from '../../contract/index.ts';
import { mostSessions } from './kept-sessions.ts';
import type { KeptSessions } from './kept-sessions.ts';
import { hashOf, isSameHash, newSecret } from './secrets.ts';

/** A session lives no longer than the token with which its link was made, or the person who was invited; null when the owner made it. */
type Session = { id: string; token: string | null };

/** Browsers that came through a one-time link. */
export type Sessions = {
  /** A code that opens one session, once, within five minutes. */
  createCode(token: string | null): string;
  /** The secret of a new session; null for a code that is wrong, used or too old. */
  exchange(code: string): string | null;
  /** The session that this secret belongs to. */
  find(secret: string): Session | null;
  isOpen(id: string): boolean;
  endAll(): void;
};

const codeLife = 5 * 60_000;
export const sessionLife = 7 * 24 * 60 * 60_000;

type Held = Session & { hash: Buffer; until: number };

/** Codes end with the process. Sessions go on in the next one: those of `kept` are taken up when they are first shown. */
export function createSessions(clock: Clock, kept: () => KeptSessions): Sessions {
  const codes: Held[] = [];
  const sessions: Held[] = [];
  const hold = (held: Held[], one: Held): void => {
    held.push(one);
    if (held.length > mostSessions) held.shift();
  };
  const add = (held: Held[], life: number, token: string | null): { secret: string; one: Held } => {
    const secret = newSecret();
    const one = { id: randomUUID(), token, hash: hashOf(secret), until: clock() + life };
    hold(held, one);
    return { secret, one };
  };
  const findIn = <Of extends { hash: Buffer }>(held: readonly Of[], hash: Buffer): Of | undefined =>
    held.find((each) => isSameHash(each.hash, hash));
  const isOver = ({ until }: Held): boolean => until <= clock();
  const takeUp = (hash: Buffer): Held | undefined => {
    const found = findIn(kept().list(), hash);
    if (found === undefined) return undefined;
    const left = Math.min(found.until - Date.now(), sessionLife);
    const one = { ...found, until: clock() + left };
    hold(sessions, one);
    return one;
  };
  return {
    createCode: (token) => add(codes, codeLife, token).secret,
    exchange(code) {
      const found = findIn(codes, hashOf(code));
      if (found === undefined || isOver(found)) return null;
      codes.splice(codes.indexOf(found), 1);
      const { secret, one } = add(sessions, sessionLife, found.token);
      try {
        kept().add({ ...one, until: Date.now() + sessionLife });
      } catch {
        // The disk is full or fails: the session then ends with the process.
      }
      return secret;
    },
    find(secret) {
      const hash = hashOf(secret);
      const found = findIn(sessions, hash) ?? takeUp(hash);
      return found === undefined || isOver(found) ? null : found;
    },
    isOpen: (id) => sessions.some((each) => each.id === id && !isOver(each)),
    endAll() {
      kept().removeAll();
      sessions.length = 0;
    },
  };
}
