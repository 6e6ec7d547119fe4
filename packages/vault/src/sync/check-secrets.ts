import { formatSecretPlace, locateSecrets } from '../secrets/index.ts';
import type { SecretPlace } from '../secrets/index.ts';
import { decodeText, fileKindOf, formatPath, maxTextBytes, pluralize } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { readAcceptedSecrets, storeAcceptedSecrets } from './accepted-secrets.ts';
import type { Moves } from './moves.ts';
import { SyncError } from './sync-error.ts';
import type { SyncRepository } from './sync-repository.ts';
import { parseTree } from './syncable-files.ts';

/** Decides whether these secrets may be sent to the remote, which does not have them yet. */
export type ConfirmSecrets = (places: readonly SecretPlace[]) => Promise<boolean>;

type Parts = { repository: SyncRepository; confirmSecrets: ConfirmSecrets };
type NewSecret = SecretPlace & { value: string };

/**
 * Throws if a commit that is about to be pushed has secrets that the remote does not have, unless they are accepted. Reads only files
 * that differ from those of `newest`, the newest commit of the remote.
 */
export async function checkSecrets(
  { repository, confirmSecrets }: Parts,
  { commit, moves }: { commit: string; moves: Moves },
  newest: string | null,
): Promise<void> {
  if (commit === newest) return;
  const found = await findNewSecrets(repository, { commit, moves }, newest);
  if (found.length === 0) return;
  const places = found.map(({ path, line, kind }) => ({ path, line, kind }));
  if (!(await confirmSecrets(places))) throw createRefusal(places);
  await storeAcceptedSecrets(
    repository,
    found.map(({ value }) => value),
  );
}

/** Contents read at once. */
const batchBytes = 32_000_000;

async function findNewSecrets(
  repository: SyncRepository,
  { commit, moves }: { commit: string; moves: Moves },
  newest: string | null,
): Promise<NewSecret[]> {
  const { files } = parseTree(await repository.tree(commit));
  const sent = newest === null ? new Map() : parseTree(await repository.tree(newest)).files;
  const sentIds = new Set(sent.values());
  const origins = new Map([...moves.files].map(([from, to]) => [to, from]));
  const changed = [...files].filter(([path, id]) => !sentIds.has(id) && fileKindOf(path) !== 'image');
  const accepted = await readAcceptedSecrets(repository);
  const found: NewSecret[] = [];
  for (const batch of await splitBySize(repository, changed)) {
    const contents = await repository.contents(batch.map(([, id]) => id));
    for (const [path, id] of batch) {
      const secrets = await locateIn(contents.get(id));
      if (secrets.length === 0) continue;
      const before = sent.get(path) ?? sent.get(origins.get(path) ?? path);
      const known = before === undefined ? null : (await repository.contents([before])).get(before);
      const inRemote = new Set((await locateIn(known)).map(({ value }) => value));
      const isNew = ({ value }: { value: string }): boolean => !inRemote.has(value) && !accepted.has(value);
      found.push(...secrets.filter(isNew).map((secret) => ({ path: formatPath(path), ...secret })));
    }
  }
  return found;
}

type File = [path: VaultPath, id: string];

async function splitBySize(repository: SyncRepository, files: readonly File[]): Promise<File[][]> {
  const sizes = await repository.sizes(files.map(([, id]) => id));
  const batches: File[][] = [];
  let room = 0;
  for (const [index, file] of files.entries()) {
    const size = sizes[index] ?? 0;
    if (size > maxTextBytes) continue;
    if (size > room || batches.length === 0) {
      batches.push([]);
      room = batchBytes;
    }
    batches.at(-1)?.push(file);
    room -= size;
  }
  return batches;
}

async function locateIn(bytes: Buffer | null | undefined): ReturnType<typeof locateSecrets> {
  const decoded = bytes && decodeText(bytes);
  return decoded?.kind === 'text' ? locateSecrets(decoded.text) : [];
}

const maxListedPlaces = 10;

function createRefusal(places: readonly SecretPlace[]): SyncError {
  const named = places.slice(0, maxListedPlaces).map(formatSecretPlace);
  const more = places.length > named.length ? `, and ${places.length - named.length} more` : '';
  const count =
    places.length === 1
      ? 'what looks like a secret'
      : `${pluralize(places.length, 'place')} that look like secrets`;
  return new SyncError(
    'new-secrets',
    `${count} would be sent for the first time: ${named.join(', ')}${more}; nothing was sent`,
    {
      hint: 'remove it from the note, also from the history with: keepsake forget; or send it with: keepsake sync --with-secrets',
    },
  );
}
