import type { Clock } from '../contract/index.ts';
import { parseScope, remembering } from '../search/index.ts';
import {
  bucketPath,
  childPath,
  inboxPath,
  nameOf,
  reviewName,
  rootPath,
  treePath,
  usualLayout,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { configurationText } from './configuration-text.ts';
import { parseConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

export type Exclusion = (path: VaultPath) => boolean;

/**
 * What is kept from agents and every other model, whenever it is asked; null when nothing is. The same function as long as
 * the patterns are the same, which it names. Throws when it cannot be known: then a model sees nothing.
 */
export type ReadExclusion = () => (Exclusion & { patterns: string }) | null;

/** It is asked before every look and for every event, so what was found counts for so long. In milliseconds. */
const freshFor = 100;

/**
 * What is not among the patterns any more still counts for so long: a configuration that is being saved may be cut off
 * for a moment. In milliseconds.
 */
const linger = 2_000;

/** `elapsed` never goes back, and does not jump. */
export function exclusionReader(
  environment: Environment,
  elapsed: Clock = () => performance.now(),
): ReadExclusion {
  const look = exclusionLooker(environment);
  let last: { at: number; found: ReadExclusion } | null = null;
  return () => {
    const now = elapsed();
    if (last === null || now - last.at >= freshFor) last = { at: now, found: outcomeOf(() => look(now)) };
    return last.found();
  };
}

function exclusionLooker({ configFile }: Environment): (now: number) => ReturnType<ReadExclusion> {
  /** With the moment since which a pattern is gone; null for those that are there. */
  const known = new Map<string, number | null>();
  let read: { text: string; patterns: readonly string[] } = { text: '', patterns: [] };
  let made: ReturnType<ReadExclusion> = null;
  return (now) => {
    const text = configurationText(configFile);
    // Nobody says like this that nothing is kept back any more: it is what a save that failed leaves.
    if (text.trim() === '' && known.size > 0) throw goneError(configFile);
    // The file is read each time and parsed only when it differs: nothing else tells of every change.
    if (text !== read.text) read = { text, patterns: configured(text, configFile) };
    for (const pattern of read.patterns) known.set(pattern, null);
    for (const [pattern, since] of known) {
      if (read.patterns.includes(pattern)) continue;
      if (since === null) known.set(pattern, now);
      else if (now - since > linger) known.delete(pattern);
    }
    const patterns = [...known.keys()].toSorted();
    const named = patterns.join('\n');
    if (named !== (made?.patterns ?? ''))
      made = named === '' ? null : Object.assign(parseExclusion(patterns), { patterns: named });
    return made;
  };
}

/** Does it once; what comes of it, also an error, can be asked for again. */
function outcomeOf<Value>(work: () => Value): () => Value {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function configured(text: string, configFile: string): string[] {
  const patterns = parsePatterns(parseConfiguration(text, configFile).agents?.exclude ?? []);
  if (patterns.length > 0) parseExclusion(patterns);
  return patterns;
}

function goneError(file: string): AppError {
  return new AppError(
    'bad-configuration',
    `${file} is gone or empty, and it said what is kept from models, so nothing is shown to them`,
    { mend: 'bring it back, or keep nothing from them any more with: keepsake config exclude --clear' },
  );
}

/** Every look at the vault compares with all of them. */
const mostPatterns = 50;

/** Patterns as they are kept: what plainly means the same is written the same. Throws for one that means nothing. */
export function parsePatterns(given: readonly string[]): string[] {
  const patterns = [...new Set(given.map(parsePattern))];
  if (patterns.length <= mostPatterns) return patterns;
  throw new AppError(
    'bad-configuration',
    `agents.exclude has ${patterns.length} patterns, and may have ${mostPatterns}`,
    { mend: 'name the folders around the files, as private/**' },
  );
}

function parsePattern(given: string): string {
  const text = given.trim().normalize('NFC');
  if (text.includes('\\')) throw refusal(given, 'it has a backslash, which no path has');
  if (text.startsWith('/')) throw refusal(given, 'it starts with /');
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  if (parts[0] === rootPath) parts.shift();
  const pattern = parts.join('/') + (text.endsWith('/') && parts.length > 0 ? '/' : '');
  if (pattern === '') throw refusal(given, 'it names nothing, or everything');
  testOf(pattern);
  return pattern;
}

/** Of patterns as `parsePatterns` gives them. Upper and lower case count as one, as they do for some file systems. */
export function parseExclusion(patterns: readonly string[]): Exclusion {
  // tree.md names every file.
  const each = [...patterns, nameOf(treePath)].map(testOf);
  const isExcluded = remembering((path) => {
    const folded = fold(path);
    return each.some((isMatch) => isMatch(folded));
  });
  const needed = neededByAgents.find(({ example }) => isExcluded(example));
  if (needed !== undefined)
    throw new AppError(
      'bad-configuration',
      `agents.exclude covers ${needed.place}, where the update agent has to write`,
      { mend: 'name only what is inside, as bucket/private/**' },
    );
  return isExcluded;
}

/** Why models see nothing while these patterns, as somebody wrote them, are configured; null when that is not so. */
export function problemWith(patterns: readonly string[]): AppError | null {
  try {
    parseExclusion(parsePatterns(patterns));
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** A pattern, and how many files it covers; null for one that something is wrong with. */
export type CountedPattern = { pattern: string; files: number | null; problem?: string };

/** Patterns as they stand in the configuration, each with what it means for these files. */
export function lookAtPatterns(written: readonly string[], paths: Iterable<VaultPath>): CountedPattern[] {
  const wrong: CountedPattern[] = [];
  const good = new Set<string>();
  for (const pattern of written) {
    const problem = problemWith([pattern]);
    if (problem === null) for (const each of parsePatterns([pattern])) good.add(each);
    else wrong.push({ pattern, files: null, problem: problem.message });
  }
  return [...countExcluded([...good], paths), ...wrong];
}

/** How many of these files each pattern covers. */
export function countExcluded(
  patterns: readonly string[],
  paths: Iterable<VaultPath>,
): { pattern: string; files: number }[] {
  const counted = patterns.map((pattern) => ({ pattern, files: 0, isMatch: testOf(pattern) }));
  for (const path of paths) {
    const folded = fold(path);
    for (const each of counted) if (each.isMatch(folded)) each.files += 1;
  }
  return counted.map(({ pattern, files }) => ({ pattern, files }));
}

/** Of one pattern, for paths that are folded. */
function testOf(pattern: string): Exclusion {
  // As it is compared, for a letter may become two.
  const test = parseScope(fold(pattern));
  if (typeof test !== 'string') return test;
  throw refusal(pattern, test);
}

function refusal(pattern: string, reason: string): AppError {
  return new AppError('bad-configuration', `agents.exclude: ${JSON.stringify(pattern)}: ${reason}`, {
    mend: 'write it as private/** or projects/therapy/',
  });
}

function fold<Text extends string>(text: Text): Text {
  return text.toLowerCase().normalize('NFC') as Text;
}

/** Where every update may have to write, whatever it is about. Patterns hold for every vault; one with names of its own is asked when it files. */
const neededByAgents = [
  { place: 'inbox/', example: childPath(childPath(inboxPath, 'item'), reviewName) },
  { place: 'bucket/', example: childPath(bucketPath, 'item.md') },
  { place: usualLayout.names.changelog, example: usualLayout.changelogPath },
  { place: usualLayout.names.overview, example: usualLayout.overviewPath },
];
