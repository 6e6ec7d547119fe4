import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, seal, unseal } from './sealing.ts';

/**
 * The key that protects the keys of all vaults and the addresses of the nodes. While it is being replaced, both keys are
 * accepted: data is sealed with the next key and signed with both.
 */
export type RootKey = {
  /** The next key alone, while it replaces the current one. */
  next: RootKey | null;
  seal(as: string, bytes: Uint8Array): Buffer;
  /** Throws `damaged` when neither key decrypts the data. */
  unseal(as: string, sealed: Uint8Array): Buffer;
  /** Signs a list of values; the same values in another order or list have another signature. */
  sign(values: readonly unknown[]): Buffer;
  /** Whether one of the signatures was made with one of the keys. */
  verify(values: readonly unknown[], signature: Uint8Array | null): boolean;
};

const signatureBytes = 32;

export function createRootKey(current: Buffer, next: Buffer | null = null): RootKey {
  const preferred = next ?? current;
  const all = next === null ? [current] : [next, current];
  const signingKeys = all.map((key) => deriveKey(key, 'signature'));
  const signaturesOf = (values: readonly unknown[]): Buffer[] =>
    signingKeys.map((key) => createHmac('sha256', key).update(JSON.stringify(values)).digest());
  return {
    next: next === null ? null : createRootKey(next),
    seal: (as, bytes) => seal(preferred, as, bytes),
    unseal(as, sealed) {
      if (next === null) return unseal(current, as, sealed);
      try {
        return unseal(next, as, sealed);
      } catch {
        // Not sealed again yet.
        return unseal(current, as, sealed);
      }
    },
    sign: (values) => Buffer.concat(signaturesOf(values)),
    verify(values, signature) {
      if (signature === null || signature.length === 0 || signature.length % signatureBytes !== 0)
        return false;
      const expected = signaturesOf(values);
      let isValid = false;
      for (let at = 0; at < signature.length; at += signatureBytes)
        for (const each of expected)
          isValid = timingSafeEqual(each, signature.subarray(at, at + signatureBytes)) || isValid;
      return isValid;
    },
  };
}
