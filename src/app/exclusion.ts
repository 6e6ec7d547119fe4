import { parseScopes } from '../search/index.ts';
import {
  bucketPath,
  changelogPath,
  childPath,
  inboxPath,
  nameOf,
  overviewPath,
  reviewName,
  treePath,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { readConfiguration } from './environment.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

type Exclusion = (path: VaultPath) => boolean;

/** What is kept from agents and every other model; null when nothing is. */
export function readExclusion(environment: Environment): Exclusion | null {
  return exclusionReader(environment)();
}

/** The same whenever it is asked; what it gives is the same as long as the patterns are. */
export function exclusionReader(environment: Environment): () => Exclusion | null {
  let last: { patterns: string; isExcluded: Exclusion } | null = null;
  return () => {
    const patterns = readConfiguration(environment).agents?.exclude ?? [];
    if (patterns.length === 0) return null;
    const text = JSON.stringify(patterns);
    if (last?.patterns !== text) last = { patterns: text, isExcluded: parseExclusion(patterns) };
    return last.isExcluded;
  };
}

/** Upper and lower case count as one, as they do for some file systems. */
export function parseExclusion(patterns: readonly string[]): Exclusion {
  // tree.md names every file.
  const parsed = parseScopes([...patterns.map((pattern) => pattern.toLowerCase()), nameOf(treePath)]);
  if (!parsed.ok)
    throw new AppError('bad-configuration', `agents.exclude: ${parsed.pattern}: ${parsed.reason}`);
  const isExcluded: Exclusion = (path) => parsed.scope?.(path.toLowerCase() as VaultPath) ?? false;
  const needed = neededByAgents.find(({ example }) => isExcluded(example));
  if (needed !== undefined)
    throw new AppError(
      'bad-configuration',
      `agents.exclude covers ${needed.place}, where the update agent has to write`,
      { mend: 'name only what is inside, as bucket/private/**' },
    );
  return isExcluded;
}

/** Where every update may have to write, whatever it is about. */
const neededByAgents = [
  { place: 'inbox/', example: childPath(childPath(inboxPath, 'item'), reviewName) },
  { place: 'bucket/', example: childPath(bucketPath, 'item.md') },
  { place: nameOf(changelogPath), example: changelogPath },
  { place: nameOf(overviewPath), example: overviewPath },
];
