import { describe, expect, it } from 'vitest';
import { temporaryVault } from '../../../../../test/temporary-vault.ts';
import { openSessionStore } from './session-store.ts';
import { createSessions } from './sessions.ts';
import type { Sessions } from './sessions.ts';
import { openTokens } from './tokens.ts';

async function openSessions(): Promise<{ sessions: Sessions; reopen: () => Sessions; token: string }> {
  const { keepsake } = await temporaryVault();
  const token = openTokens(keepsake)().create('a program', 'read').id;
  const open = (): Sessions => createSessions(Date.now, openSessionStore(keepsake));
  return { sessions: open(), reopen: open, token };
}

function signIn(sessions: Sessions, token: string | null): string {
  return sessions.exchange(sessions.createCode(token)) ?? expect.unreachable('the code was refused');
}

describe('signing out of all browsers', () => {
  it('also ends links that were not opened yet', async () => {
    const { sessions } = await openSessions();
    const secret = signIn(sessions, null);
    const code = sessions.createCode(null);
    sessions.revokeAll();
    expect(sessions.find(secret)).toBeNull();
    expect(sessions.exchange(code)).toBeNull();
  });
});

describe('a principal with many sessions', () => {
  it('loses only its own oldest ones, in memory and after a restart', async () => {
    const { sessions, reopen, token } = await openSessions();
    const owner = signIn(sessions, null);
    const own = Array.from({ length: 130 }, () => signIn(sessions, token));
    for (const each of [sessions, reopen()]) {
      expect(each.find(owner)).toMatchObject({ token: null });
      expect(each.find(own.at(-1) ?? '')).toMatchObject({ token });
      expect(each.find(own[0] ?? '')).toBeNull();
    }
  });

  it('cannot use up the sign-in codes of others', async () => {
    const { sessions, token } = await openSessions();
    const code = sessions.createCode(null);
    for (let made = 0; made < 130; made += 1) sessions.createCode(token);
    expect(sessions.exchange(code)).not.toBeNull();
  });
});
