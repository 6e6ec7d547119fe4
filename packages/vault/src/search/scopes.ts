import picomatch from 'picomatch';
import { describeError } from '../contract/index.ts';
import { belowRoot, rootPath, showInput } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';

/** Whether a file belongs to what is searched. */
export type Scope = (path: VaultPath) => boolean;

type ParsedScopes = {
  ok: true;
  /** Null when none were given: everything. */
  scope: Scope | null;
  /** The patterns to which none of these paths belongs. */
  patternsWithout: (paths: () => Iterable<VaultPath>) => string[];
};

const longestPattern = 500;
const mostPatterns = 50;
/** Of what is remembered about paths: a large vault, and names as they are usual. */
const mostKnown = 200_000;
const longestKnown = 300;

/**
 * Path patterns as a shell reads them: `projects/startup-x/`, or `state.md` of any project. One that is a file or folder
 * as it stands is taken literally; a folder, with or without a star behind it, covers everything under it.
 */
export function parseScopes(
  patterns: readonly string[],
): ParsedScopes | { ok: false; pattern: string; reason: string } {
  if (patterns.length > mostPatterns)
    return {
      ok: false,
      pattern: `${patterns.length} patterns`,
      reason: `at most ${mostPatterns} are allowed`,
    };
  const scopes: Scope[] = [];
  for (const pattern of patterns) {
    const parsed = parseScope(pattern);
    if (typeof parsed === 'string') return { ok: false, pattern, reason: parsed };
    scopes.push(parsed);
  }
  return {
    ok: true,
    scope: scopes.length === 0 ? null : remembering((path) => scopes.some((scope) => scope(path))),
    patternsWithout(paths) {
      const without = new Map(scopes.map((scope, index) => [patterns[index] ?? '', scope]));
      // Every search asks, so no more files are looked at than it takes.
      if (without.size > 0)
        for (const path of paths()) {
          for (const [pattern, scope] of without) if (scope(path)) without.delete(pattern);
          if (without.size === 0) break;
        }
      return [...without.keys()];
    },
  };
}

/** The same test, which is made once for each path. */
export function remembering(test: Scope): Scope {
  const known = new Map<VaultPath, boolean>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const isIn = test(path);
    // A scope may live as long as the process, and be asked about any number of paths that are not there.
    if (known.size >= mostKnown) known.clear();
    if (path.length <= longestKnown) known.set(path, isIn);
    return isIn;
  };
}

/** The test of one pattern, or what is wrong with it. */
export function parseScope(pattern: string): Scope | string {
  const text = pattern.normalize('NFC').replace(/^\.\//, '');
  if (text.trim() === '') return 'it is empty; leave scopes out to search everything';
  if (text.length > longestPattern) return `it is longer than ${longestPattern} characters`;
  if (text.startsWith('/')) return 'it starts with /; write it from the vault, as projects/*/state.md';
  if (text.split('/').includes('..')) return '.. leads out of the vault';
  if ((text.match(/\{/g)?.length ?? 0) > 4 || /\{[^}]*\.\./.test(text))
    return 'it has nested or numbered braces; write the patterns one by one';
  // More of them can keep a matcher busy for years.
  if (text.split('/').some((name) => (name.match(/\*+/g)?.length ?? 0) > 3))
    return 'it has more than three * in one name';
  if ((text.match(/\*\*/g)?.length ?? 0) > 2) return 'it has more than two **';
  const relative = text === rootPath ? '' : text.replace(/^vault\//, '');
  const folder = relative.replace(/(?:^|\/)\*{0,2}$/, '');
  const isPlainFolder = relative !== folder && !/[*?[\]{}()!+@]/.test(folder);
  const literal = (path: string): boolean =>
    path === relative || path.startsWith(`${relative.replace(/\/$/, '')}/`);
  if (relative === '') return () => true;
  if (isPlainFolder) return (path) => belowRoot(path).startsWith(folder === '' ? '' : `${folder}/`);
  try {
    // In a file name these mean themselves.
    const escaped = relative.replaceAll(/[()|+^$]/g, '\\$&');
    const isMatch = picomatch(escaped.endsWith('/') ? `${escaped}**` : escaped, {
      strictBrackets: true,
      nonegate: true,
      maxLength: longestPattern,
      noextglob: true,
    });
    // A folder that matches covers what is under it, as it does when it is named.
    return (path) => foldersOf(belowRoot(path)).some((each) => isMatch(each)) || literal(belowRoot(path));
  } catch (error) {
    return `it is not a path pattern (${describeError(error)})`;
  }
}

/** `a/b/c.md` → `a/b/c.md`, `a/b`, `a`. */
function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}

/** What is wrong with one of the patterns, or null. */
export function checkScopes(patterns: readonly string[]): string | null {
  const parsed = parseScopes(patterns);
  return parsed.ok ? null : `${showInput(parsed.pattern)}: ${parsed.reason}`;
}
