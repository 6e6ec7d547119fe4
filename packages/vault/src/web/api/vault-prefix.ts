/** The prefix of every URL of this vault: `/v/<name>` on a server with several vaults, otherwise empty. */
export function vaultPrefix(): string {
  return /^\/v\/[\w-]+(?=\/|$)/.exec(globalThis.location.pathname)?.[0] ?? '';
}
