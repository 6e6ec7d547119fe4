import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns 256 random bits in base64url. */
export function generateSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The hash under which a secret is stored. One round of SHA-256 is enough, because secrets are random. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares in constant time. */
export function timingSafeEqualHashes(one: Buffer, other: Buffer): boolean {
  return timingSafeEqual(one, other);
}
