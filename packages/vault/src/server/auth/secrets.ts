import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Random and long enough that nobody guesses it. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a secret. One round is enough: secrets are random. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** In the same time whatever differs. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return timingSafeEqual(one, other);
}
