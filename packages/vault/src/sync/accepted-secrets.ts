import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { SyncRepository } from './sync-repository.ts';

type Repository = Pick<SyncRepository, 'ref' | 'setRefs' | 'contents' | 'writeBlob'>;

/** The secrets that the user agreed to send. Only their hashes are stored, and only on this machine, until something is forgotten. */
export type AcceptedSecrets = { has(value: string): boolean };

const hashes = z.array(z.string());

export async function readAcceptedSecrets(repository: Repository): Promise<AcceptedSecrets> {
  const accepted = new Set(await readHashes(repository));
  return { has: (value) => accepted.has(hashOf(value)) };
}

export async function storeAcceptedSecrets(repository: Repository, values: readonly string[]): Promise<void> {
  const all = new Set([...(await readHashes(repository)), ...values.map(hashOf)]);
  const id = await repository.writeBlob(JSON.stringify([...all].toSorted()));
  await repository.setRefs({ 'accepted-secrets': id });
}

async function readHashes(repository: Repository): Promise<string[]> {
  const id = await repository.ref('accepted-secrets');
  if (id === null) return [];
  return hashes.parse(JSON.parse((await repository.contents([id])).get(id)?.toString() ?? '[]'));
}

function hashOf(value: string): string {
  return createHash('sha256').update(`keepsake secret\n${value}`).digest('hex');
}
