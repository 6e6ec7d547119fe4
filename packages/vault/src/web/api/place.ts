/** Before every address of this vault: nothing, or `/v/<name>` where a server has several. */
export function place(): string {
  return /^\/v\/[\w-]+(?=\/|$)/.exec(globalThis.location.pathname)?.[0] ?? '';
}
