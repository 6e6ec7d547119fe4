import { decodeProtectedHeader } from 'jose';
import { expect, it } from 'vitest';
import { openOAuthStore } from '../../packages/vault/src/server/oauth/oauth-store.ts';
import { registerClient, tokensFor, toolsWith } from './client.ts';
import { publicVault } from './public-vault.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

it(
  'signing keys are published before they sign and kept until their last token has expired',
  { timeout: 120_000 },
  async () => {
    let now = Date.now();
    const vault = await publicVault({ 'a.md': '# A\n' }, { clock: () => now });
    const client = await registerClient(vault);
    const published = async (): Promise<string[]> => {
      const { keys } = (await (await fetch(`${vault.url}/oauth/jwks`)).json()) as {
        keys: { kid: string; d?: string }[];
      };
      expect(keys.filter(({ d }) => d !== undefined)).toEqual([]);
      return keys.map(({ kid }) => kid).toSorted();
    };
    const signed = async (): Promise<{ token: string; by: string }> => {
      const { access_token: token } = await tokensFor(vault, client);
      return { token, by: decodeProtectedHeader(token).kid ?? '' };
    };
    const first = await signed();
    expect(await published()).toEqual([first.by]);
    now += 89 * day;
    const before = await signed();
    const both = await published();
    expect([both.length, both.includes(first.by), before.by]).toEqual([2, true, first.by]);
    now += day;
    const after = await signed();
    expect(both.filter((kid) => kid !== first.by)).toEqual([after.by]);
    expect(await published()).toEqual(both);
    // The clock of the tokens has not advanced, so tokens of the old key are still valid.
    for (const { token } of [first, before, after])
      expect(await toolsWith(vault, token)).toContain('vault_read');
    now += 3 * hour;
    expect(await toolsWith(vault, after.token)).toContain('vault_read');
    expect(await published()).toEqual([after.by]);
    for (const { token } of [first, before]) expect(await toolsWith(vault, token)).toBe(401);
    now += 365 * day;
    expect((await signed()).by).toBe(after.by);
    expect(await published()).toHaveLength(2);
  },
);

it('a single signing key from an earlier version stays in use', async () => {
  const { keepsake, url } = await publicVault({ 'a.md': '# A\n' });
  const kept = (await openOAuthStore(keepsake)().getOrCreateKey('signing', async () => ({}))) as {
    kid: string;
  };
  const { keys } = (await (await fetch(`${url}/oauth/jwks`)).json()) as { keys: { kid: string }[] };
  expect(keys.map(({ kid }) => kid)).toEqual([kept.kid]);
});
