import picomatch from 'picomatch';
import { describeError } from '../contract/index.ts';
import { toRelativePath, rootPath, formatInput } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { normalizeText } from './tokenizer.ts';

/** Whether a file is in the searched scope. */
export type PathPredicate = (path: VaultPath) => boolean;

type ParsedScopes = {
  ok: true;
  /** Null if no patterns were given, which means everything. */
  scope: PathPredicate | null;
  /** The patterns that match none of these paths. */
  patternsWithout: (paths: () => Iterable<VaultPath>) => string[];
};

const maxPatternLength = 500;
const maxPatterns = 50;
/** Enough for all paths of a large vault; unusually long paths are not cached. */
const maxCachedPaths = 200_000;
const maxCachedPathLength = 300;

/**
 * Compiles path patterns with shell syntax: `projects/startup-x/`, or `state.md` of any project. A pattern that names
 * an existing file or folder is taken literally; a folder, with or without a trailing star, includes everything below
 * it.
 */
export function compileScopes(
  patterns: readonly string[],
): ParsedScopes | { ok: false; pattern: string; reason: string } {
  if (patterns.length > maxPatterns)
    return {
      ok: false,
      pattern: `${patterns.length} patterns`,
      reason: `at most ${maxPatterns} scopes are allowed`,
    };
  const scopes: PathPredicate[] = [];
  for (const pattern of patterns) {
    const parsed = compileScope(pattern);
    if (typeof parsed === 'string') return { ok: false, pattern, reason: parsed };
    scopes.push(parsed);
  }
  return {
    ok: true,
    scope: scopes.length === 0 ? null : memoizeByPath((path) => scopes.some((scope) => scope(path))),
    patternsWithout(paths) {
      const without = new Map(scopes.map((scope, index) => [patterns[index] ?? '', scope]));
      // Stops as soon as every pattern has matched a file, because every search runs this.
      if (without.size > 0)
        for (const path of paths()) {
          for (const [pattern, scope] of without) if (scope(path)) without.delete(pattern);
          if (without.size === 0) break;
        }
      return [...without.keys()];
    },
  };
}

/** Caches the result of the test for each path. */
export function memoizeByPath(test: PathPredicate): PathPredicate {
  const known = new Map<VaultPath, boolean>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const isIn = test(path);
    // A scope may live as long as the process and be called with any number of paths that do not exist.
    if (known.size >= maxCachedPaths) known.clear();
    if (path.length <= maxCachedPathLength) known.set(path, isIn);
    return isIn;
  };
}

/** Compiles one pattern; returns an error message if it is invalid. */
export function compileScope(pattern: string): PathPredicate | string {
  const relative = toRelativePattern(pattern);
  if (typeof relative !== 'string') return relative.problem;
  const folder = relative.replace(/(?:^|\/)\*{0,2}$/, '');
  const isPlainFolder = relative !== folder && !/[*?[\]{}()!+@]/.test(folder);
  const literal = (path: string): boolean =>
    path === relative || path.startsWith(`${relative.replace(/\/$/, '')}/`);
  if (relative === '') return () => true;
  if (isPlainFolder) return (path) => toRelativePath(path).startsWith(folder === '' ? '' : `${folder}/`);
  const isMatch = compilePattern(relative.endsWith('/') ? `${relative}**` : relative);
  // A matching folder includes everything below it, like a folder that is named literally.
  return typeof isMatch === 'string'
    ? isMatch
    : (path) =>
        foldersOf(toRelativePath(path)).some((each) => isMatch(each)) || literal(toRelativePath(path));
}

/** Compiles a pattern that matches whole paths, of files and folders; returns an error message if it is invalid. */
export function compilePathPattern(pattern: string): PathPredicate | string {
  const relative = toRelativePattern(pattern);
  if (typeof relative !== 'string') return relative.problem;
  const isMatch = compilePattern(relative.replace(/\/$/, ''));
  return typeof isMatch === 'string' ? isMatch : (path) => isMatch(toRelativePath(path));
}

/** The pattern without `vault/`, or what is wrong with it. */
function toRelativePattern(pattern: string): string | { problem: string } {
  const text = pattern.normalize('NFC').replace(/^\.\//, '');
  const problem = findPatternProblem(text);
  if (problem !== null) return { problem };
  return text === rootPath ? '' : text.replace(/^vault\//, '');
}

function findPatternProblem(text: string): string | null {
  if (text.trim() === '') return 'empty; omit scopes to search everything';
  if (text.length > maxPatternLength) return `longer than ${maxPatternLength} characters`;
  if (text.startsWith('/'))
    return 'starts with /; write it relative to the vault, for example projects/*/state.md';
  if (text.split('/').includes('..')) return '.. leads out of the vault';
  if ((text.match(/\{/g)?.length ?? 0) > 4 || /\{[^}]*\.\./.test(text))
    return 'has nested or numbered braces; pass several patterns instead';
  // With more stars, matching can take exponential time.
  if (text.split('/').some((name) => (name.match(/\*+/g)?.length ?? 0) > 3))
    return 'has more than three * in one name';
  if ((text.match(/\*\*/g)?.length ?? 0) > 2) return 'has more than two **';
  return null;
}

function compilePattern(relative: string): ((path: string) => boolean) | string {
  try {
    // These characters are literal in file names.
    return picomatch(relative.replaceAll(/[()|+^$]/g, '\\$&'), {
      strictBrackets: true,
      nonegate: true,
      maxLength: maxPatternLength,
      noextglob: true,
    });
  } catch (error) {
    return `not a valid path pattern (${describeError(error)})`;
  }
}

/** The pattern with the capitals and accents of existing names; null if no file matches it even then. */
export function suggestScope(pattern: string, paths: Iterable<VaultPath>): string | null {
  const isMatch = compileScope(normalizeText(pattern));
  if (typeof isMatch === 'string') return null;
  for (const path of paths) {
    if (!isMatch(normalizeText(path) as VaultPath)) continue;
    const names = new Map(
      toRelativePath(path)
        .split('/')
        .map((name) => [normalizeText(name), name]),
    );
    return pattern
      .split('/')
      .map((name) => names.get(normalizeText(name)) ?? name)
      .join('/');
  }
  return null;
}

/** `a/b/c.md` → `a/b/c.md`, `a/b`, `a`. */
function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}

/** Returns what is wrong with the first invalid pattern, or null. */
export function validateScopes(patterns: readonly string[]): string | null {
  const parsed = compileScopes(patterns);
  return parsed.ok ? null : `${formatInput(parsed.pattern)}: ${parsed.reason}`;
}
