import { exportJWK, generateKeyPair } from 'jose';
import type { JWK } from 'jose';
import { generateSecret } from '../auth/secrets.ts';
import type { OAuthStore } from './oauth-store.ts';

export const signingAlgorithm = 'ES256';

/** A key and the time from which it signs, in epoch milliseconds. It is published before that time. */
export type SigningKey = { key: JWK; signsFrom: number };

const hour = 60 * 60_000;
const day = 24 * hour;
/**
 * How long a key signs, how long before that period it is published, and how long after that period it stays published,
 * so that the last token that it signed has expired.
 */
const [signingPeriodMs, prepublishMs, retireAfterMs] = [90 * day, day, 2 * hour];

/** Returns the published keys, the active one first. Creates the next key in time and removes retired ones. */
export async function rotateSigningKeys(records: OAuthStore, now: number): Promise<SigningKey[]> {
  const stored = (await records.adapterFor('Key').find('signing-keys')) as { keys: SigningKey[] } | undefined;
  // Earlier versions stored a single key.
  const first = async (): Promise<SigningKey[]> => [
    { key: await records.getOrCreateKey('signing', generateSigningKey), signsFrom: now },
  ];
  const current = stored?.keys ?? (await first());
  const keys = await applyRotation(current, now);
  if (keys !== stored?.keys) await records.adapterFor('Key').upsert('signing-keys', { keys });
  const signer = findActiveKey(keys, now);
  return [...keys].toSorted((one, other) => Number(other === signer) - Number(one === signer));
}

async function applyRotation(keys: SigningKey[], now: number): Promise<SigningKey[]> {
  const signer = findActiveKey(keys, now);
  const hasSuccessor = keys.some(({ signsFrom }) => signsFrom > now);
  const isDue = now >= (signer?.signsFrom ?? 0) + signingPeriodMs - prepublishMs;
  const needed = keys.filter(
    (key) => key.signsFrom >= (signer?.signsFrom ?? 0) || now < (signer?.signsFrom ?? 0) + retireAfterMs,
  );
  if (!hasSuccessor && isDue)
    return [...needed, { key: await generateSigningKey(), signsFrom: now + prepublishMs }];
  return needed.length === keys.length ? keys : needed;
}

/** The newest key whose signing period has started. */
function findActiveKey(keys: readonly SigningKey[], now: number): SigningKey | undefined {
  return keys.findLast(({ signsFrom }) => signsFrom <= now) ?? keys[0];
}

async function generateSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  return {
    ...(await exportJWK(privateKey)),
    alg: signingAlgorithm,
    use: 'sig',
    kid: generateSecret().slice(0, 16),
  };
}
