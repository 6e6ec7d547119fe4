import { exportJWK, generateKeyPair } from 'jose';
import type { JWK } from 'jose';
import { newSecret } from '../auth/secrets.ts';
import type { Records } from './records.ts';

export const signing = 'ES256';

/** A key and from when on it signs, by the clock of the machine; it is published before. */
export type SigningKey = { key: JWK; signsFrom: number };

const hour = 60 * 60_000;
const day = 24 * hour;
/** How long a key signs; how long before that it is published, and how long after that, until every token that it signed is over. */
const [signsFor, publishedBefore, publishedAfter] = [90 * day, day, 2 * hour];

/** Those of now, the one that signs first: the next is made in time, and one whose tokens are over is forgotten. */
export async function keepSigningKeys(records: Records, now: number): Promise<SigningKey[]> {
  const kept = (await records.of('Key').find('signing-keys')) as { keys: SigningKey[] } | undefined;
  // Before there were several, there was one.
  const first = async (): Promise<SigningKey[]> => [
    { key: await records.key('signing', makeKey), signsFrom: now },
  ];
  const known = kept?.keys ?? (await first());
  const keys = await followTime(known, now);
  if (keys !== kept?.keys) await records.of('Key').upsert('signing-keys', { keys });
  const signer = signerOf(keys, now);
  return [...keys].toSorted((one, other) => Number(other === signer) - Number(one === signer));
}

async function followTime(keys: SigningKey[], now: number): Promise<SigningKey[]> {
  const signer = signerOf(keys, now);
  const isFollowed = keys.some(({ signsFrom }) => signsFrom > now);
  const isDue = now >= (signer?.signsFrom ?? 0) + signsFor - publishedBefore;
  const needed = keys.filter(
    (key) => key.signsFrom >= (signer?.signsFrom ?? 0) || now < (signer?.signsFrom ?? 0) + publishedAfter,
  );
  if (!isFollowed && isDue) return [...needed, { key: await makeKey(), signsFrom: now + publishedBefore }];
  return needed.length === keys.length ? keys : needed;
}

/** The newest of those whose time has come. */
function signerOf(keys: readonly SigningKey[], now: number): SigningKey | undefined {
  return keys.findLast(({ signsFrom }) => signsFrom <= now) ?? keys[0];
}

async function makeKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(signing, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: signing, use: 'sig', kid: newSecret().slice(0, 16) };
}
