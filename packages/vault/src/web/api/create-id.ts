/** A random id of 32 hex digits. `crypto.randomUUID` is missing on pages that are served without TLS. */
export function createId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
