import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { parseVaultPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { writeConfiguration } from './write-configuration.ts';
import { readEnvironment } from './environment.ts';
import { countExcluded, createExclusionReader, parseExclusion, parsePatterns } from './exclusion.ts';

const excluded = "agents:\n  exclude: ['private/**']\n";

function pathOf(text: string): VaultPath {
  const parsed = parseVaultPath(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.path;
}

const diary = pathOf('private/diary.md');

/** Writes a configuration, and returns a reader that has read it once. */
function setUp(text: string) {
  const environment = readEnvironment({ XDG_CONFIG_HOME: temporaryFolder() });
  const { configFile } = environment;
  mkdirSync(dirname(configFile), { recursive: true });
  const configure = (now: string): void => writeFileSync(configFile, now);
  let elapsed = 0;
  const read = createExclusionReader(environment, () => elapsed);
  configure(text);
  const isHidden = (): boolean => read()?.(diary) ?? false;
  expect(isHidden()).toBe(text === excluded);
  const later = (by: number): void => {
    elapsed += by;
  };
  return { environment, configure, isHidden, read, later };
}

describe('exclusion', () => {
  it('keeps a removed pattern for two seconds, so that a half-saved file reveals nothing', () => {
    const { configure, isHidden, later } = setUp(excluded);
    for (const half of ['agents:\n', 'vault: x\n', 'agents:\n  exclude: []\n']) {
      configure(half);
      later(200);
      const isShown = (): boolean => !isHidden();
      if (half === 'agents:\n') expect(isShown).toThrow('is not valid');
      else expect(isShown()).toBe(false);
      configure(excluded);
      later(10_000);
      expect(isHidden()).toBe(true);
    }
    configure('agents:\n  exclude: []\n');
    later(200);
    expect(isHidden()).toBe(true);
    later(2_100);
    expect(isHidden()).toBe(false);
  });

  it.each([
    ['is missing', (file: string) => rmSync(file)],
    ['was emptied', (file: string) => writeFileSync(file, '')],
    ['has only blank lines', (file: string) => writeFileSync(file, '\n \n')],
  ])('blocks all access while the configuration file that listed patterns %s', (_how, lose) => {
    const { environment, configure, isHidden, read, later } = setUp(excluded);
    lose(environment.configFile);
    for (const after of [200, 3_000, 86_400_000]) {
      later(after);
      expect(read).toThrow('is missing or empty but contained the list of hidden files');
    }
    configure(excluded);
    later(200);
    expect(isHidden()).toBe(true);
    lose(environment.configFile);
    // What keepsake config exclude --clear does.
    writeConfiguration(environment, { place: ['agents', 'exclude'], value: [] });
    later(200);
    expect(isHidden()).toBe(true);
    later(3_000);
    expect(isHidden()).toBe(false);
  });

  it('hides nothing if the configuration never listed a pattern, even if the file is missing', () => {
    const { environment, isHidden, later } = setUp('');
    later(200);
    expect(isHidden()).toBe(false);
    rmSync(environment.configFile);
    later(200);
    expect(isHidden()).toBe(false);
  });

  it('caches the patterns or the read error for 100 milliseconds', () => {
    const { configure, isHidden, read, later } = setUp('');
    configure(excluded);
    later(99);
    expect(isHidden()).toBe(false);
    later(1);
    expect(isHidden()).toBe(true);
    const errorOf = (): unknown => {
      try {
        return read();
      } catch (error) {
        return error;
      }
    };
    configure('agents: [');
    later(100);
    expect(read).toThrow('is not valid YAML');
    const first = errorOf();
    expect(errorOf()).toBe(first);
    configure(excluded);
    later(100);
    expect(isHidden()).toBe(true);
  });

  it('accepts up to fifty patterns, all of which can be replaced at once', () => {
    const patterns = (name: string, count: number): string[] =>
      Array.from({ length: count }, (_, index) => `${name}${index}/`);
    const configuration = (name: string, count: number): string =>
      JSON.stringify({ agents: { exclude: patterns(name, count) } });
    expect(() => parsePatterns(patterns('a', 51))).toThrow('has 51 patterns (maximum 50)');
    const { configure, read, later } = setUp('');
    for (const name of ['a', 'b']) {
      configure(configuration(name, 50));
      later(200);
      expect(read()?.(pathOf(`${name}49/x.md`))).toBe(true);
    }
    configure(configuration('c', 51));
    later(200);
    expect(read).toThrow('has 51 patterns');
  });

  it.each([
    'diary.sync-conflict-20260714-183000-ABCDEFG.md',
    'Diary (conflicted copy 2026-07-14).md',
    'diary 2.md',
    'diary 2.sync-conflict-20260714-183000-ABCDEFG.md',
    'scan (1).pdf',
  ])('hides %s, which may be a conflict copy of a hidden file, and counts it', (name) => {
    const patterns = parsePatterns(['diary.md', 'scan.pdf']);
    expect(parseExclusion(patterns)(pathOf(name))).toBe(true);
    expect(parseExclusion(patterns)(pathOf(`bucket/${name}`))).toBe(false);
    expect(countExcluded(patterns, [pathOf(name)]).map(({ files }) => files)).toContain(1);
  });

  it('rejects a pattern that becomes too long when converted to lower case', () => {
    const long = `${'İ'.repeat(300)}/`;
    expect(() => parsePatterns([long])).toThrow('longer than 500 characters');
    expect(() => parseExclusion([long])).toThrow('longer than 500 characters');
    expect(parseExclusion(parsePatterns(['İ/']))(pathOf('İ/a.md'))).toBe(true);
  });

  it('checks a known path about as fast as a map lookup, regardless of the number of patterns', async () => {
    const paths = Array.from({ length: 20_000 }, (_, index) =>
      pathOf(`projects/p${index % 300}/Note-${index}.md`),
    );
    const table = new Map(paths.map((path) => [path, false]));
    const isExcluded = parseExclusion(
      parsePatterns(Array.from({ length: 40 }, (_, index) => `private-${index}/**/*.md`)),
    );
    const ask = (): number => paths.filter((path) => isExcluded(path)).length;
    expect(ask()).toBe(0);
    expect(await costRatio(ask, () => paths.filter((path) => table.get(path) === true).length)).toBeLessThan(
      6,
    );
  });
});
