import { describe, expect, it } from 'vitest';
import { announcedSecrets } from '../../../../test/secrets/announced-shapes.ts';
import { createSecretShapes } from '../../../../test/secrets/secret-shapes.ts';
import { findSecretsYielding } from './find-secrets-yielding.ts';
import { findSecrets } from './find-secrets.ts';
import { hideSecrets, maskSecrets, restoreSecrets } from './mask-secrets.ts';
import type { MaskedSecret } from './mask-secrets.ts';
import { nameSecretKind } from './name-secret-kind.ts';

const label = '7f3a91c2';
const mask = (texts: readonly string[]): ReturnType<typeof maskSecrets> =>
  maskSecrets(texts, { label, nameOf: (kind) => kind });
const valuesOf =
  (secrets: readonly MaskedSecret[]) =>
  (of: string, number: number): string | undefined =>
    of === label ? secrets[number - 1]?.value : undefined;

describe('maskSecrets', () => {
  it('masks every secret that is found, and restores the exact text', async () => {
    const texts = [
      ...createSecretShapes().map(({ text }) => text),
      ...announcedSecrets.map(([text]) => text),
    ];
    for (const text of texts) {
      const masked = await mask([text]);
      for (const { start, end } of findSecrets(text))
        expect(masked.texts[0]).not.toContain(text.slice(start, end).trim());
      expect(restoreSecrets(masked.texts[0] ?? '', valuesOf(masked.secrets))).toBe(text);
    }
  });

  it('finds nothing in a masked text', async () => {
    for (const { text } of createSecretShapes(3)) {
      const [clean = ''] = (await mask([text])).texts;
      expect(findSecrets(clean)).toEqual([]);
    }
  });

  it('gives a secret the same mask in every text, also where nothing announces it', async () => {
    const { texts, secrets } = await mask(['mdp Xk9!vB2q', 'again Xk9!vB2q', 'code PIN : 0742, room 0742']);
    expect(texts).toEqual([
      'mdp [secret 7f3a91c2-1: password]',
      'again [secret 7f3a91c2-1: password]',
      'code PIN : [secret 7f3a91c2-2: PIN], room 0742',
    ]);
    expect(secrets.map(({ context }) => context)).toEqual([
      'mdp [secret 7f3a91c2-1: password]',
      'code PIN : [secret 7f3a91c2-2: PIN], room 0742',
    ]);
  });
});

it('findSecretsYielding finds in pieces what findSecrets finds at once', async () => {
  const filler = 'An ordinary line of a long note about nothing in particular.\n'.repeat(800);
  const texts = createSecretShapes(7).filter(({ text }) => !/BEGIN[^\n]*\n[^-]*$/.test(text));
  const text = texts
    .map((each) => `${filler}${each.text}\n\n`)
    .slice(0, 20)
    .join('');
  expect(await findSecretsYielding(text)).toEqual(findSecrets(text));
  const key = `-----BEGIN PRIVATE KEY-----\n${'QUJD'.repeat(700)}\n-----END PRIVATE KEY-----`;
  const across = `${'x '.repeat(24_500)}${key} and mdp ${'y '.repeat(24_000)}`;
  expect(await findSecretsYielding(across)).toEqual(findSecrets(across));
});

describe('hideSecrets', () => {
  it('leaves numbers alone unless the text is about the secret', async () => {
    const { secrets } = await mask(['code de ma carte 2026']);
    expect(hideSecrets('# 2026-11-18', secrets)).toBe('# 2026-11-18');
    expect(hideSecrets('carte 2026.', secrets, true)).toBe('carte [secret 7f3a91c2-1: code].');
  });

  it('hides each line of a private key, as a listing with line numbers shows it', async () => {
    const { secrets } = await mask([
      `-----BEGIN PRIVATE KEY-----\n${'QUJD9'.repeat(9)}\n-----END PRIVATE KEY-----`,
    ]);
    expect(hideSecrets(`2 | ${'QUJD9'.repeat(9)}`, secrets)).toBe('2 | [secret 7f3a91c2-1: private key]');
  });
});

describe('restoreSecrets', () => {
  it('restores a mask whose kind was reworded, and leaves other masks', async () => {
    const { secrets } = await mask(['mdp Xk9!vB2q']);
    const text =
      'a [secret 7f3a91c2-1: mot de passe] b [secret 00000000-1: password] c [secret 7f3a91c2-2: PIN]';
    expect(restoreSecrets(text, valuesOf(secrets))).toBe(
      'a Xk9!vB2q b [secret 00000000-1: password] c [secret 7f3a91c2-2: PIN]',
    );
  });
});

it('nameSecretKind names kinds in French', () => {
  expect(['password', 'GitHub key', 'PIN'].map((kind) => nameSecretKind(kind, 'fr'))).toEqual([
    'mot de passe',
    'clé GitHub',
    'code PIN',
  ]);
});
