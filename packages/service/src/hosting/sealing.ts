import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { HostingError } from './error.ts';

const algorithm = 'aes-256-gcm';
const [nonceBytes, tagBytes] = [12, 16];

/** Nobody reads it without the key, and it opens only as what it was sealed as: two sealed texts cannot be swapped. */
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
    throw new HostingError('damaged', `${as} cannot be opened: it was changed, or sealed with another key`, {
      cause,
    });
  }
}

export function createKey(): Buffer {
  return randomBytes(32);
}

/** The same bytes have the same name in one vault, and nobody without its key can tell what they are by it. */
export function nameOfContent(key: Buffer, bytes: Uint8Array): string {
  return createHmac('sha256', key).update(bytes).digest('hex');
}
