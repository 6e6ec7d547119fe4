import type { Clock } from '../contract/index.ts';
import { compileScope, memoizeByPath } from '../search/index.ts';
import {
  bucketPath,
  childPath,
  baseName,
  hiddenItemName,
  listPossibleOriginals,
  reviewName,
  rootPath,
  treePath,
  defaultLayout,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { readConfigurationText } from './configuration-text.ts';
import { parseConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

export type IsExcluded = (path: VaultPath) => boolean;

/**
 * Returns the predicate for the files that are hidden from agents and every other model; null when none are. Returns
 * the same function while `patterns` stays the same. Throws when the configuration cannot be read, because models must
 * not see any file in that case.
 */
export type ExclusionReader = () => (IsExcluded & { patterns: string }) | null;

/** How long a result is cached, in milliseconds; it is needed for every access and every event. */
const cacheTtlMs = 100;

/**
 * How long a removed pattern stays in effect, in milliseconds: a configuration file may be truncated for a moment while
 * it is saved.
 */
const removalGraceMs = 2_000;

export function createExclusionReader(
  environment: Environment,
  monotonicNow: Clock = () => performance.now(),
): ExclusionReader {
  const loadExclusion = createExclusionLoader(environment);
  let last: { at: number; found: ExclusionReader } | null = null;
  return () => {
    const now = monotonicNow();
    if (last === null || now - last.at >= cacheTtlMs)
      last = { at: now, found: memoizeOutcome(() => loadExclusion(now)) };
    return last.found();
  };
}

/** Whether a file is hidden from models. While the configuration cannot be read, every file counts as hidden. */
export function createHiddenCheck(exclusion: ExclusionReader): IsExcluded {
  return (path) => {
    try {
      return exclusion()?.(path) ?? false;
    } catch (error) {
      if (error instanceof AppError && error.code === 'bad-configuration') return true;
      throw error;
    }
  };
}

function createExclusionLoader({ configFile }: Environment): (now: number) => ReturnType<ExclusionReader> {
  /** Each known pattern with the time at which it was removed; null while it is configured. */
  const known = new Map<string, number | null>();
  let read: { text: string; patterns: readonly string[] } = { text: '', patterns: [] };
  let made: ReturnType<ExclusionReader> = null;
  return (now) => {
    const text = readConfigurationText(configFile);
    // An empty file may be the result of a failed save. A user who wants to hide nothing clears the list instead.
    if (text.trim() === '' && known.size > 0) throw missingConfigurationError(configFile);
    // Comparing the text is the only way to notice every change; the file is parsed only when the text differs.
    if (text !== read.text) read = { text, patterns: configured(text, configFile) };
    for (const pattern of read.patterns) known.set(pattern, null);
    for (const [pattern, since] of known) {
      if (read.patterns.includes(pattern)) continue;
      if (since === null) known.set(pattern, now);
      else if (now - since > removalGraceMs) known.delete(pattern);
    }
    const patterns = [...known.keys()].toSorted();
    const named = patterns.join('\n');
    if (named !== (made?.patterns ?? ''))
      made = named === '' ? null : Object.assign(parseExclusion(patterns), { patterns: named });
    return made;
  };
}

/** Calls `work` once and returns a function that repeats its result or its error. */
function memoizeOutcome<Value>(work: () => Value): () => Value {
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

function missingConfigurationError(file: string): AppError {
  return new AppError(
    'bad-configuration',
    `${file} is missing or empty but contained the list of hidden files, so AI access is blocked`,
    { hint: 'restore the file, or clear the list with: keepsake config exclude --clear' },
  );
}

/** Limits the cost of a check, because every path is compared with all patterns. */
const maxPatterns = 50;

/** Normalizes patterns and removes duplicates. Throws for an invalid pattern. */
export function parsePatterns(rawPatterns: readonly string[]): string[] {
  const patterns = [...new Set(rawPatterns.map(parsePattern))];
  if (patterns.length <= maxPatterns) return patterns;
  throw new AppError(
    'bad-configuration',
    `agents.exclude has ${patterns.length} patterns (maximum ${maxPatterns})`,
    { hint: 'use folder patterns such as private/**' },
  );
}

function parsePattern(rawPattern: string): string {
  const text = rawPattern.trim().normalize('NFC');
  if (text.includes('\\')) throw invalidPatternError(rawPattern, 'contains a backslash');
  if (text.startsWith('/')) throw invalidPatternError(rawPattern, 'starts with /');
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  if (parts[0] === rootPath) parts.shift();
  const pattern = parts.join('/') + (text.endsWith('/') && parts.length > 0 ? '/' : '');
  if (pattern === '') throw invalidPatternError(rawPattern, 'matches nothing or everything');
  compilePattern(pattern);
  return pattern;
}

/**
 * Files about hidden files: tree.md lists every file, and some questions in the inbox quote hidden notes. Patterns apply
 * to every vault, whatever the name of its inbox.
 */
const derivedPatterns = [baseName(treePath), `*/*-${hiddenItemName}-*/**`];

/** Compiles patterns that `parsePatterns` has returned. Case is ignored, as on some file systems. */
export function parseExclusion(patterns: readonly string[]): IsExcluded {
  const each = [...patterns, ...derivedPatterns].map(compilePattern);
  const isExcluded = memoizeByPath((path) => {
    const versions = foldVersions(path);
    return each.some((isMatch) => versions.some(isMatch));
  });
  const needed = requiredPaths.find(({ example }) => isExcluded(example));
  if (needed !== undefined)
    throw new AppError(
      'bad-configuration',
      `agents.exclude covers ${needed.place}, which the update agent must write to`,
      { hint: 'exclude a subfolder instead, for example bucket/private/**' },
    );
  return isExcluded;
}

/** The error that blocks all AI access while these patterns are configured; null when they are valid. */
export function validatePatterns(patterns: readonly string[]): AppError | null {
  try {
    parseExclusion(parsePatterns(patterns));
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** A pattern and the number of files that it matches; `files` is null when the pattern is invalid. */
export type PatternMatchCount = { pattern: string; files: number | null; problem?: string };

/** The patterns as configured, each with its number of matching files or its problem. */
export function inspectPatterns(written: readonly string[], paths: Iterable<VaultPath>): PatternMatchCount[] {
  const invalid: PatternMatchCount[] = [];
  const valid = new Set<string>();
  for (const pattern of written) {
    const problem = validatePatterns([pattern]);
    if (problem === null) for (const each of parsePatterns([pattern])) valid.add(each);
    else invalid.push({ pattern, files: null, problem: problem.message });
  }
  return [...countExcluded([...valid], paths), ...invalid];
}

/** Counts the files that each pattern matches. */
export function countExcluded(
  patterns: readonly string[],
  paths: Iterable<VaultPath>,
): { pattern: string; files: number }[] {
  const counted = patterns.map((pattern) => ({ pattern, files: 0, isMatch: compilePattern(pattern) }));
  for (const path of paths) {
    const versions = foldVersions(path);
    for (const each of counted) if (versions.some(each.isMatch)) each.files += 1;
  }
  return counted.map(({ pattern, files }) => ({ pattern, files }));
}

/** Compiles one pattern; the paths must be case-folded. */
function compilePattern(pattern: string): IsExcluded {
  // Folded before validation, because folding may lengthen the pattern.
  const test = compileScope(foldCase(pattern));
  if (typeof test !== 'string') return test;
  throw invalidPatternError(pattern, test);
}

function invalidPatternError(pattern: string, reason: string): AppError {
  return new AppError('bad-configuration', `agents.exclude: ${JSON.stringify(pattern)}: ${reason}`, {
    hint: 'use a pattern such as private/** or projects/therapy/',
  });
}

/** The path and those of which it may be a conflict copy: a copy has the text of its original. Case-folded. */
function foldVersions(path: VaultPath): VaultPath[] {
  return [path, ...listPossibleOriginals(path)].map(foldCase);
}

function foldCase<Text extends string>(text: Text): Text {
  return text.toLowerCase().normalize('NFC') as Text;
}

/**
 * Paths that any update may have to write to. Only the default names are checked, because patterns apply to every
 * vault.
 */
const requiredPaths = [
  { place: 'inbox/', example: childPath(childPath(defaultLayout.inboxPath, 'item'), reviewName) },
  { place: 'bucket/', example: childPath(bucketPath, 'item.md') },
  { place: defaultLayout.names.changelog, example: defaultLayout.changelogPath },
  { place: defaultLayout.names.overview, example: defaultLayout.overviewPath },
];
