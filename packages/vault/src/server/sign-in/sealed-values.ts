import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Clock } from '../../contract/index.ts';

/**
 * Values that a caller without credentials gets sealed and brings back, so that nothing has to be stored for it. Each is
 * valid for a limited time, in the process that sealed it.
 */
export type SealedValues<Value> = {
  seal(value: Value): string;
  /** Null if it was not sealed here, or is expired or consumed. */
  open(sealed: string): Value | null;
  /** Ends the validity of a value; false if it is not valid. Call it only for a caller that has authenticated. */
  consume(sealed: string): boolean;
};

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

export function createSealedValues<Value>(
  ttlMs: number,
  clock: Clock = () => performance.now(),
): SealedValues<Value> {
  const key = randomBytes(32);
  /** When each consumed value expires, by its initialization vector. */
  const consumed = new Map<string, number>();
  const decrypt = (sealed: string): { iv: string; value: Value; until: number } | null => {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length <= ivBytes + tagBytes) return null;
    const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)];
    const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAuthTag(tag);
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
      return { iv: iv.toString('hex'), ...(JSON.parse(text.toString()) as { value: Value; until: number }) };
    } catch {
      // The authentication tag does not match.
      return null;
    }
  };
  const find = (sealed: string): ReturnType<typeof decrypt> => {
    const found = decrypt(sealed);
    return found === null || found.until < clock() || consumed.has(found.iv) ? null : found;
  };
  return {
    seal(value) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes });
      const text = JSON.stringify({ value, until: clock() + ttlMs });
      const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open: (sealed) => find(sealed)?.value ?? null,
    consume(sealed) {
      const found = find(sealed);
      if (found === null) return false;
      for (const [iv, until] of consumed) if (until < clock()) consumed.delete(iv);
      consumed.set(found.iv, found.until);
      return true;
    },
  };
}
