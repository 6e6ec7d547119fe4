import { expect } from 'vitest';
import { searchOutput } from '../../packages/vault/src/contract/index.ts';
import { roomVault } from '../room-vault.ts';
import type { Files } from '../temporary-vault.ts';

export type Search = { queries: string[]; scopes?: string[]; limit?: number };

/** Searches a vault of these files as a model does. */
export async function searchVault(input: Search, files: Files) {
  const vault = await roomVault(files);
  const outcome = await vault.call('search', input);
  if (outcome.kind === 'refused') return expect.unreachable(outcome.message);
  const { text, value } = outcome.result;
  return { text, value: searchOutput.parse(value) };
}
