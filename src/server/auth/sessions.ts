import { randomUUID } from 'node:crypto';
import type { Clock } from '../../contract/index.ts';
import { hashOf, isSameHash, newSecret } from './secrets.ts';

/** A session lives no longer than the token with which its link was made; null when the person made it. */
type Session = { id: string; token: string | null };

/** Browsers that came through a one-time link. They are forgotten when the process ends. */
export type Sessions = {
  /** A code that opens one session, once, within five minutes. */
  createCode(token: string | null): string;
  /** The secret of a new session; null for a code that is wrong, used or too old. */
  exchange(code: string): string | null;
  /** The session that this secret belongs to. */
  find(secret: string): Session | null;
  isOpen(id: string): boolean;
};

const codeLife = 5 * 60_000;
export const sessionLife = 7 * 24 * 60 * 60_000;
/** Of each kind; the oldest give way. */
const most = 100;

type Kept = Session & { hash: Buffer; until: number };

export function createSessions(clock: Clock): Sessions {
  const codes: Kept[] = [];
  const sessions: Kept[] = [];
  const add = (kept: Kept[], life: number, token: string | null): string => {
    const secret = newSecret();
    kept.push({ id: randomUUID(), token, hash: hashOf(secret), until: clock() + life });
    if (kept.length > most) kept.shift();
    return secret;
  };
  const find = (kept: Kept[], secret: string): Kept | undefined => {
    const hash = hashOf(secret);
    const found = kept.find((each) => isSameHash(each.hash, hash));
    return found !== undefined && found.until > clock() ? found : undefined;
  };
  return {
    createCode: (token) => add(codes, codeLife, token),
    exchange(code) {
      const found = find(codes, code);
      if (found === undefined) return null;
      codes.splice(codes.indexOf(found), 1);
      return add(sessions, sessionLife, found.token);
    },
    find: (secret) => find(sessions, secret) ?? null,
    isOpen: (id) => sessions.some((each) => each.id === id && each.until > clock()),
  };
}
