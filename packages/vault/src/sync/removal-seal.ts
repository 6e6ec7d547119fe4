import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Content is padded to a multiple of this, so that the size of a sealed removal does not show how long the words are. */
const paddedBytes = 1024;
const ivBytes = 12;
const tagBytes = 16;

export function createRemovalKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Encrypts JSON content; `id` is authenticated, so that a sealed text cannot be moved to another removal. */
export function seal(key: string, id: string, content: unknown): string {
  const bytes = Buffer.from(JSON.stringify(content));
  const padding = Buffer.alloc((paddedBytes - (bytes.length % paddedBytes)) % paddedBytes, ' ');
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key), iv).setAAD(Buffer.from(id));
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.update(padding), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url');
}

/** Null if the text was sealed with another key or is damaged. */
export function unseal(key: string, id: string, sealed: string): unknown {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < ivBytes + tagBytes) return null;
  const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)];
  try {
    const decipher = createDecipheriv('aes-256-gcm', deriveKey(key), iv);
    decipher.setAAD(Buffer.from(id)).setAuthTag(tag);
    const opened = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    return JSON.parse(opened.toString()) as unknown;
  } catch {
    return null;
  }
}

function deriveKey(key: string): Buffer {
  return createHash('sha256').update(`keepsake removal\0${key}`).digest();
}
