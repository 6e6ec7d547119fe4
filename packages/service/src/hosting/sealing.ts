import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { HostingError } from './error.ts';

const algorithm = 'aes-256-gcm';
const [nonceBytes, tagBytes] = [12, 16];

/**
 * Encrypts and authenticates a text. Decryption succeeds only with the same value of `as`, so two ciphertexts cannot be
 * swapped.
 */
export function seal(key: Buffer, as: string, text: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(as));
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

export function unseal(key: Buffer, as: string, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed);
  const nonce = bytes.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce)
    .setAAD(Buffer.from(as))
    .setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  } catch (cause) {
    throw new HostingError(
      'damaged',
      `cannot decrypt ${as}: it was modified or encrypted with a different key`,
      {
        cause,
      },
    );
  }
}

export function generateDataKey(): Buffer {
  return randomBytes(32);
}

/** A key for one purpose. Keys of different purposes reveal nothing about each other. */
export function deriveKey(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `keepsake ${purpose}`, 32));
}

/**
 * A keyed hash that names content: equal bytes have the same name within a vault, and the name reveals nothing without
 * the key.
 */
export function hashContent(key: Buffer, bytes: Uint8Array): string {
  return createHmac('sha256', key).update(bytes).digest('hex');
}
