import { describe, expect, it } from 'vitest';
import { openOAuthStore } from '../../packages/vault/src/server/oauth/oauth-store.ts';
import { createPasskeys } from '../../packages/vault/src/server/sign-in/passkeys.ts';
import type { Passkeys } from '../../packages/vault/src/server/sign-in/passkeys.ts';
import { temporaryVault } from '../temporary-vault.ts';
import { createSoftwarePasskey } from './software-passkey.ts';
import type { SoftwarePasskey } from './software-passkey.ts';

const url = 'https://notes.example.org';

async function openPasskeys(): Promise<Passkeys> {
  const { keepsake } = await temporaryVault();
  return createPasskeys(url, openOAuthStore(keepsake));
}

async function register(
  passkeys: Passkeys,
  memberId: string | null,
  passkey: SoftwarePasskey,
): Promise<boolean> {
  const { challenge } = (await passkeys.createRegistrationOptions(memberId)) as { challenge: string };
  return passkeys.register(memberId, 'phone', passkey.create(challenge));
}

async function respond(passkeys: Passkeys, passkey: SoftwarePasskey): Promise<object> {
  const { challenge } = (await passkeys.createAuthenticationOptions()) as { challenge: string };
  return passkey.get(challenge);
}

describe('a passkey', () => {
  it('signs in its member until it is removed', async () => {
    const passkeys = await openPasskeys();
    const passkey = createSoftwarePasskey(url);
    expect(await register(passkeys, 'ada', passkey)).toBe(true);
    expect(await passkeys.verify(await respond(passkeys, passkey))).toBe('ada');
    expect(passkeys.remove('ada', passkey.id)).toBe(true);
    expect(await passkeys.verify(await respond(passkeys, passkey))).toBeUndefined();
  });

  it('stays removed when a sign-in is being verified at that moment', async () => {
    const passkeys = await openPasskeys();
    const passkey = createSoftwarePasskey(url);
    await register(passkeys, null, passkey);
    const verifying = passkeys.verify(await respond(passkeys, passkey));
    expect(passkeys.remove(null, passkey.id)).toBe(true);
    expect(await verifying).toBeUndefined();
    expect(passkeys.list(null)).toEqual([]);
    expect(await passkeys.verify(await respond(passkeys, passkey))).toBeUndefined();
  });

  it('signs in with a challenge from before many others were requested, and only once', async () => {
    const passkeys = await openPasskeys();
    const passkey = createSoftwarePasskey(url);
    await register(passkeys, null, passkey);
    const response = await respond(passkeys, passkey);
    for (let other = 0; other < 1_200; other += 1) await passkeys.createAuthenticationOptions();
    // Either of two simultaneous attempts may be the one that succeeds.
    const results = await Promise.all([passkeys.verify(response), passkeys.verify(response)]);
    expect(results.filter((member) => member === null)).toHaveLength(1);
    expect(results.filter((member) => member === undefined)).toHaveLength(1);
    expect(await passkeys.verify(response)).toBeUndefined();
  });

  it('cannot be replaced by another member who registers the same credential id', async () => {
    const passkeys = await openPasskeys();
    const own = createSoftwarePasskey(url);
    await register(passkeys, null, own);
    const forged = createSoftwarePasskey(url, Buffer.from(own.id, 'base64url'));
    expect(await register(passkeys, 'reader', forged)).toBe(false);
    expect(await passkeys.verify(await respond(passkeys, own))).toBeNull();
    expect(await passkeys.verify(await respond(passkeys, forged))).toBeUndefined();
  });

  it('is named in the registration options of its own member only', async () => {
    const passkeys = await openPasskeys();
    const own = createSoftwarePasskey(url);
    await register(passkeys, null, own);
    const named = async (memberId: string | null): Promise<unknown> =>
      (
        (await passkeys.createRegistrationOptions(memberId)) as { excludeCredentials: { id: string }[] }
      ).excludeCredentials.map(({ id }) => id);
    expect(await named(null)).toEqual([own.id]);
    expect(await named('reader')).toEqual([]);
  });
});
