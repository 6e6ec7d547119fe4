import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import type { VaultPath } from '../vault/index.ts';
import { parseQuery } from './query.ts';
import { validateScopes, compileScopes } from './scopes.ts';
import { stemTerm, tokenize } from './tokenizer.ts';

describe('parseQuery', () => {
  it('drops stop words as long as other words remain', () => {
    expect(parseQuery("Pourquoi a-t-on abandonné l'API ?").terms).toEqual(['abandonne', 'api']);
    expect(parseQuery('what is it').terms).toEqual(['what', 'is', 'it']);
  });

  it('drops German stop words, and those that are English words only in a German question', () => {
    expect(parseQuery('Wann war die Übergabe der Wohnung?').terms).toEqual(['ubergabe', 'wohnung']);
    expect(parseQuery('did the man with the fur die in the war').terms).toEqual(['man', 'fur', 'die', 'war']);
    expect(parseQuery('MIT von Neumann').terms).toEqual(['mit', 'von', 'neumann']);
  });

  it('recognizes phrases and exclusions', () => {
    expect(parseQuery('budget "rue de Rivoli" -draft -"old plan"')).toMatchObject({
      terms: ['budget', 'rue', 'rivoli'],
      phrases: [['rue', 'de', 'rivoli']],
      excluded: [['draft'], ['old', 'plan']],
      exactText: '',
    });
  });

  it('does not read the options of a pasted command as exclusions', () => {
    expect(parseQuery('restic -r $REPO snapshots --latest 3')).toMatchObject({
      terms: ['restic', 'r', 'repo', 'snapshots', 'latest', '3'],
      excluded: [],
    });
  });

  it('supports prefixes', () => {
    expect(parseQuery('boil* heating').prefixes).toEqual(new Set(['boil']));
    expect(parseQuery('* b* c').prefixes).toEqual(new Set());
  });

  it('does not read a hyphen inside a word as an exclusion', () => {
    expect(parseQuery('multi-agent').excluded).toEqual([]);
    expect(parseQuery('2025-07-14').terms).toEqual(['2025', '07', '14']);
  });

  it.each(['', '"', '* OR NEAR(', "a' AND 1=1 --", '-', '^:@#', '""', '-""', '{title}: x'])(
    'accepts any input: %j',
    (text) => {
      const { terms } = parseQuery(text);
      expect(terms.length).toBeLessThanOrEqual(40);
      for (const term of terms) expect(term).toMatch(/^[\p{L}\p{N}]+$/u);
    },
  );

  it.each(['x', 'zebra ', '"a" -b '])(
    'ignores everything after the first 2,000 characters of %j repeated a million times',
    (part) => {
      const text = part.repeat(1_000_000);
      expect(parseQuery(text)).toEqual(parseQuery(text.slice(0, 2_000)));
    },
  );

  it('returns at most forty terms', () => {
    const words = Array.from({ length: 200 }, (_, index) => `word${index}`);
    expect(parseQuery(words.join(' ')).terms).toEqual(words.slice(0, 40));
  });
});

describe('tokenized words', () => {
  it('lose accents and capitals, and are single characters in scripts without spaces', () => {
    expect(tokenize('Décision_finale: 日本語 ok')).toEqual(['decision', 'finale', '日', '本', '語', 'ok']);
  });

  it('lose ligatures, but keep the marks of other scripts', () => {
    expect(tokenize('Œuvre cœur Æther e\u0301te')).toEqual(['oeuvre', 'coeur', 'aether', 'ete']);
    expect(tokenize('Việt ñandú Łódź')).toEqual(['viet', 'nandu', 'łodz']);
    expect(tokenize('й')).toEqual(['й']);
  });

  it.each([
    ['decisions', 'decision'],
    ['abandonner', 'abandonne'],
    ['meetings', 'meeting'],
    ['heures', 'heure'],
  ])('%s and %s share a stem', (a, b) => {
    expect(stemTerm(a)).toBe(stemTerm(b));
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
    const parsed = compileScopes(patterns);
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
  ])('%j includes %j', (patterns, expected) => {
    expect(inScope(...patterns)).toEqual(expected);
  });

  it('are taken literally if they name an existing file', () => {
    expect(validateScopes(['odd [1].md'])).toBeNull();
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
  ])('are rejected if they are %s, with a message that names the pattern', (pattern) => {
    expect(validateScopes([pattern])).toContain(pattern.slice(0, 5));
  });

  it('are rejected if they are longer than 500 characters, with a message that shows the beginning', () => {
    expect(validateScopes(['x'.repeat(501)])).toContain('xxxxx');
  });

  it.each(['([a-z/.-]+)+!', '(a|a|aa)*b', '*a*a*b', '**/*a*/**/b'])(
    'with the pattern %s take at most twenty times as long for a path twice as long',
    async (pattern) => {
      const match = (path: string) => (): void => {
        const parsed = compileScopes([pattern]);
        expect(parsed.ok && parsed.scope?.(`vault/${path}.md` as VaultPath)).toBe(false);
      };
      // Starts with short paths: a matcher that tries all combinations takes a thousand times longer on them, but
      // finishes.
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

  it('report the patterns that match no file', () => {
    const parsed = compileScopes(['nowhere/*', 'tasks.md']);
    expect(
      parsed.ok && parsed.patternsWithout(() => files.map((file) => `vault/${file}` as VaultPath)),
    ).toEqual(['nowhere/*']);
  });
});
