/** What nobody else will choose; also where the page came without TLS, and the browser makes no UUIDs. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
