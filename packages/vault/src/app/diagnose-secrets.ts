import { formatSecretPlace, locateSecrets } from '../secrets/index.ts';
import type { SecretPlace } from '../secrets/index.ts';
import { readAcceptedSecrets } from '../sync/index.ts';
import { decodeText, fileKindOf, formatPath, walkFilePaths } from '../vault/index.ts';
import { passed } from './check.ts';
import type { HealthCheck } from './check.ts';
import type { Environment } from './environment.ts';
import type { Keepsake } from './keepsake.ts';
import { createLocalRepository } from './local-repository.ts';

const name = 'secrets';
const maxListedPlaces = 20;

/** Names the places of what looks like a secret in a file of the vault, except those that the user agreed to sync. */
export async function checkSecrets(keepsake: Keepsake, environment: Environment): Promise<HealthCheck> {
  const places = await findSecretPlaces(keepsake, environment);
  if (places.length === 0) return passed(name, 'nothing in the vault looks like a password or a key');
  const named = places.slice(0, maxListedPlaces).map(formatSecretPlace);
  const more = places.length > named.length ? [`and ${places.length - named.length} more`] : [];
  return {
    name,
    status: 'warning',
    message: ['passwords or keys in readable text', ...named, ...more].join('\n'),
    hint: "move them to a password manager, then remove them from the vault and its history with: keepsake forget '<secret>'",
  };
}

async function findSecretPlaces(
  { catalogue, readRun, state }: Keepsake,
  environment: Environment,
): Promise<SecretPlace[]> {
  const { view } = readRun('person');
  const repository = createLocalRepository(state, environment);
  const isSynced = (await repository.settings()) !== null;
  const accepted = isSynced ? await readAcceptedSecrets(await repository.open()) : null;
  const places: SecretPlace[] = [];
  for (const path of walkFilePaths(await catalogue.contents())) {
    if (fileKindOf(path) === 'image') continue;
    const read = await view.read(path);
    const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
    if (decoded?.kind !== 'text') continue;
    for (const { line, kind, value } of await locateSecrets(decoded.text))
      if (accepted?.has(value) !== true) places.push({ path: formatPath(path), line, kind });
  }
  return places;
}
