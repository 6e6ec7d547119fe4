import type { Change } from './history-api.ts';

type Applied = Pick<Change, 'at' | 'paths' | 'state' | 'who'>;

/** Who changed each file last, of changes that come newest first. */
export function lastAuthors(changes: readonly Applied[]): ReadonlyMap<string, Change['who']['kind']> {
  const authors = new Map<string, Change['who']['kind']>();
  for (const change of changes)
    for (const path of changedPaths(change)) if (!authors.has(path)) authors.set(path, change.who.kind);
  return authors;
}

/** When each file was changed last, in milliseconds. */
export function lastTimes(changes: readonly Applied[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const change of changes)
    for (const path of changedPaths(change)) times.set(path, Math.max(times.get(path) ?? 0, change.at));
  return times;
}

/** Without `vault/`. A change that was not applied has touched none. */
function changedPaths({ state, paths }: Applied): string[] {
  return state === 'applied' ? paths.map((path) => path.replace(/^vault\//, '')) : [];
}
