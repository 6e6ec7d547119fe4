import type { Change } from './history-api.ts';

type Applied = Pick<Change, 'at' | 'paths' | 'state' | 'who'>;

/** The kind of the last author of each file. Expects changes newest first. */
export function lastAuthors(changes: readonly Applied[]): ReadonlyMap<string, Change['who']['kind']> {
  const authors = new Map<string, Change['who']['kind']>();
  for (const change of changes)
    for (const path of changedPaths(change)) if (!authors.has(path)) authors.set(path, change.who.kind);
  return authors;
}

/** The time of the last change of each file, in milliseconds. */
export function lastTimes(changes: readonly Applied[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const change of changes)
    for (const path of changedPaths(change)) times.set(path, Math.max(times.get(path) ?? 0, change.at));
  return times;
}

/** Paths without `vault/`. Empty for a change that was not applied. */
function changedPaths({ state, paths }: Applied): string[] {
  return state === 'applied' ? paths.map((path) => path.replace(/^vault\//, '')) : [];
}
