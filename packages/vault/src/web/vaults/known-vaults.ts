import { vaultPrefix } from '../api/vault-prefix.ts';

const key = 'keepsake.vaults';

/** The vaults of this server that were opened in this browser. The server does not list vaults to anyone but its owner. */
export function listKnownVaults(storage: Storage): string[] {
  return (storage.getItem(key) ?? '').split(' ').filter((name) => name !== '');
}

/** Stores the name of the current vault on a server with several vaults. */
export function rememberVault(storage: Storage): void {
  const name = vaultPrefix().slice('/v/'.length);
  const known = listKnownVaults(storage);
  if (name !== '' && !known.includes(name)) storage.setItem(key, [...known, name].join(' '));
}
