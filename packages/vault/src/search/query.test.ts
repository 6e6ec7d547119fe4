import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import type { VaultPath } from '../vault/index.ts';
import { parseQuery } from './query.ts';
import { checkScopes, parseScopes } from './scopes.ts';
import { stemOf, wordsOf } from './words.ts';

describe('a query', () => {
  it('drops function words as long as others remain', () => {
    expect(parseQuery("Pourquoi a-t-on abandonné l'API ?").terms).toEqual(['abandonne', 'api']);
    expect(parseQuery('what is it').terms).toEqual(['what', 'is', 'it']);
  });

  it('has phrases and exclusions', () => {
    expect(parseQuery('budget "rue de Rivoli" -draft -"old plan"')).toMatchObject({
      terms: ['budget', 'rue', 'rivoli'],
      phrases: [['rue', 'de', 'rivoli']],
      excluded: [['draft'], ['old', 'plan']],
      literal: '',
    });
  });

  it('takes the options of a pasted command for what they are', () => {
    expect(parseQuery('restic -r $REPO snapshots --latest 3')).toMatchObject({
      terms: ['restic', 'r', 'repo', 'snapshots', 'latest', '3'],
      excluded: [],
    });
  });

  it('may be the start of words', () => {
    expect(parseQuery('boil* heating').prefixes).toEqual(new Set(['boil']));
    expect(parseQuery('* b* c').prefixes).toEqual(new Set());
  });

  it('keeps a hyphen inside a word apart from an exclusion', () => {
    expect(parseQuery('multi-agent').excluded).toEqual([]);
    expect(parseQuery('2025-07-14').terms).toEqual(['2025', '07', '14']);
  });

  it.each(['', '"', '* OR NEAR(', "a' AND 1=1 --", '-', '^:@#', '""', '-""', '{title}: x'])(
    'can be anything: %j',
    (text) => {
      const { terms } = parseQuery(text);
      expect(terms.length).toBeLessThanOrEqual(40);
      for (const term of terms) expect(term).toMatch(/^[\p{L}\p{N}]+$/u);
    },
  );

  it.each(['x', 'zebra ', '"a" -b '])(
    'is read no further than its first 2,000 characters when it is %j a million times',
    (part) => {
      const text = part.repeat(1_000_000);
      expect(parseQuery(text)).toEqual(parseQuery(text.slice(0, 2_000)));
    },
  );

  it('has forty words to look for at most', () => {
    const words = Array.from({ length: 200 }, (_, index) => `word${index}`);
    expect(parseQuery(words.join(' ')).terms).toEqual(words.slice(0, 40));
  });
});

describe('words', () => {
  it('are without accents and capitals, and single characters in scripts without spaces', () => {
    expect(wordsOf('Décision_finale: 日本語 ok')).toEqual(['decision', 'finale', '日', '本', '語', 'ok']);
  });

  it('are without ligatures, and keep the marks of other scripts', () => {
    expect(wordsOf('Œuvre cœur Æther e\u0301te')).toEqual(['oeuvre', 'coeur', 'aether', 'ete']);
    expect(wordsOf('Việt ñandú Łódź')).toEqual(['viet', 'nandu', 'łodz']);
    expect(wordsOf('й')).toEqual(['й']);
  });

  it.each([
    ['decisions', 'decision'],
    ['abandonner', 'abandonne'],
    ['meetings', 'meeting'],
    ['heures', 'heure'],
  ])('%s and %s have one stem', (a, b) => {
    expect(stemOf(a)).toBe(stemOf(b));
  });
});

describe('scopes', () => {
  const files = [
    'tasks.md',
    'projects/a/state.md',
    'projects/a/bucket/x.md',
    'projects/b/state.md',
    'odd [1].md',
  ];
  const inScope = (...patterns: string[]): string[] => {
    const parsed = parseScopes(patterns);
    if (!parsed.ok) throw new Error(parsed.reason);
    return files.filter((file) => parsed.scope?.(`vault/${file}` as VaultPath) ?? true);
  };

  it.each([
    [['projects/a/'], ['projects/a/state.md', 'projects/a/bucket/x.md']],
    [['projects/a'], ['projects/a/state.md', 'projects/a/bucket/x.md']],
    [['projects/a/*'], ['projects/a/state.md', 'projects/a/bucket/x.md']],
    [['projects/*/state.md'], ['projects/a/state.md', 'projects/b/state.md']],
    [['vault/projects/*/state.md'], ['projects/a/state.md', 'projects/b/state.md']],
    [['**/state.md'], ['projects/a/state.md', 'projects/b/state.md']],
    [
      ['tasks.md', 'projects/b/**'],
      ['tasks.md', 'projects/b/state.md'],
    ],
    [['projects/{a,b}/state.md'], ['projects/a/state.md', 'projects/b/state.md']],
    [['projects/a*'], ['projects/a/state.md', 'projects/a/bucket/x.md']],
    [['tas*'], ['tasks.md']],
    [['vault'], files],
    [['nowhere/*'], []],
  ])('%j cover %j', (patterns, expected) => {
    expect(inScope(...patterns)).toEqual(expected);
  });

  it('take a pattern literally when it is the name of a file', () => {
    expect(checkScopes(['odd [1].md'])).toBeNull();
    expect(inScope('odd [1].md')).toContain('odd [1].md');
  });

  it.each([
    'projects/[a',
    '../x',
    '/etc',
    '',
    '{a,{b,{c,{d,{e}}}}}',
    'a{1..999999}',
    '**/*a*/**/*a*/**/b',
    '*a'.repeat(20),
  ])('are refused when they are %s, and the message names it', (pattern) => {
    expect(checkScopes([pattern])).toContain(pattern.slice(0, 5));
  });

  it('are refused when they are over 500 characters long, and the message shows the beginning', () => {
    expect(checkScopes(['x'.repeat(501)])).toContain('xxxxx');
  });

  it.each(['([a-z/.-]+)+!', '(a|a|aa)*b', '*a*a*b', '**/*a*/**/b'])(
    'made of %s cost at most twenty times as much for a path twice as long',
    async (pattern) => {
      const match = (path: string) => (): void => {
        const parsed = parseScopes([pattern]);
        expect(parsed.ok && parsed.scope?.(`vault/${path}.md` as VaultPath)).toBe(false);
      };
      // Short paths first: a matcher that tries all combinations takes a thousand times longer, but does end.
      for (const [piece, count] of [
        ['a', 10],
        ['aaaa/', 2],
        ['a', 125],
        ['aaaa/', 12],
      ] as const)
        expect(await costRatio(match(piece.repeat(2 * count)), match(piece.repeat(count)))).toBeLessThan(20);
      match('projects/startup-x/changelog')();
    },
  );

  it('tell which of their patterns no file belongs to', () => {
    const parsed = parseScopes(['nowhere/*', 'tasks.md']);
    expect(
      parsed.ok && parsed.patternsWithout(() => files.map((file) => `vault/${file}` as VaultPath)),
    ).toEqual(['nowhere/*']);
  });
});
