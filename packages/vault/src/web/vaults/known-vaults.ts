import { place } from '../api/place.ts';

const key = 'keepsake.vaults';

/** The vaults of this server that were open in this browser: nobody else is told which there are. */
export function knownVaults(storage: Storage): string[] {
  return (storage.getItem(key) ?? '').split(' ').filter((name) => name !== '');
}

/** The vault whose page this is, where a server has several. */
export function rememberVault(storage: Storage): void {
  const name = place().slice('/v/'.length);
  const known = knownVaults(storage);
  if (name !== '' && !known.includes(name)) storage.setItem(key, [...known, name].join(' '));
}
