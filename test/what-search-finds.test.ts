import { describe, expect, it, onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import type { Keepsake } from '../packages/vault/src/app/index.ts';
import { formatSearchResult } from '../packages/vault/src/tools/index.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

async function vaultWith(files: Record<string, string>): Promise<Keepsake> {
  const vault = temporaryFolder();
  layOut(vault, files);
  const environment = readEnvironment({ HOME: temporaryFolder(), PATH: process.env['PATH'] });
  const keepsake = await openKeepsake({ vault, state: temporaryFolder(), environment });
  onTestFinished(async () => void (await keepsake.close()));
  return keepsake;
}

type Request = { dateFrom?: string; dateTo?: string };

async function search(keepsake: Keepsake, queries: string[], reader: 'person' | 'model', more: Request = {}) {
  const outcome = await keepsake.readRun(reader).search({ queries, mode: 'fast', ...more });
  if (outcome.kind !== 'found') throw new Error('the scope is wrong');
  return { paths: outcome.passages.map(({ path }) => path), text: formatSearchResult(outcome).text };
}

const count = (number: number, file: (index: number) => [string, string]): Record<string, string> =>
  Object.fromEntries(Array.from({ length: number }, (_, index) => file(index)));

describe('search', () => {
  it('finds a bare note by its name when the name is all over the vault', async () => {
    const keepsake = await vaultWith({
      ...count(60, (index) => [
        `bucket/call-${index}.md`,
        `# Call ${index}\n\nJean Dupont called, and Jean Dupont calls again.\n`,
      ]),
      'people/Jean Dupont.md': 'Plays the cello.\n',
    });
    const { paths, text } = await search(keepsake, ['jean dupont'], 'person');
    expect(paths[0]).toBe('vault/people/Jean Dupont.md');
    expect(text).toContain('Plays the cello.');
  });

  it('finds a note by a date that the query writes in words and the note in digits', async () => {
    const keepsake = await vaultWith({
      ...count(40, (index) => [
        `bucket/diary-${index}.md`,
        `## 2025-0${(index % 6) + 1}-10\nWalked along the river with the dog, lunch at noon.\n`,
      ]),
      'bucket/summer.md': '## 2025-07-14\nThe fireworks were cancelled.\n',
    });
    expect((await search(keepsake, ['what happened in July?'], 'model')).paths[0]).toBe(
      'vault/bucket/summer.md',
    );
  });

  it.each([
    ['käse', 'the beginning of a word, with accents'],
    ['kaesespaetzle', 'ae instead of ä, twice'],
    ['strasse', 'ss instead of ß'],
    ['Bahnhofsstraße', 'ß instead of ss'],
  ])('finds a note by %j: %s', async (query) => {
    const keepsake = await vaultWith({
      'recipes.md': 'Bergkäse und Röstzwiebeln: Käsespätzle. In der Straße gekauft, Ecke Bahnhofsstrasse.\n',
      ...count(5, (index) => [`n${index}.md`, `Nothing is due before the spring ${index}.\n`]),
    });
    expect((await search(keepsake, [query], 'person')).paths).toEqual(['vault/recipes.md']);
  });

  it('finds words of the profile for users, and tells models where they are', async () => {
    const keepsake = await vaultWith({
      'profile.md': '# Profile\n\nLives in Leipzig.\n',
      'a.md': 'Nothing.\n',
    });
    expect((await search(keepsake, ['leipzig'], 'person')).paths).toEqual(['vault/profile.md']);
    const { paths, text } = await search(keepsake, ['leipzig'], 'model');
    expect(paths).toEqual([]);
    expect(text).toContain('note: see also vault/profile.md:3');
  });

  it('takes the day of a note from its name or its property', async () => {
    const keepsake = await vaultWith({
      'Daily/2025-03-03.md': 'Marmalade for breakfast.\n',
      'Daily/thursday.md': '---\ndate: 2025-03-06\n---\nMarmalade again.\n',
    });
    const march = (dateFrom: string, dateTo: string) =>
      search(keepsake, ['marmalade'], 'person', { dateFrom, dateTo });
    expect((await march('2025-03-01', '2025-03-04')).paths).toEqual(['vault/Daily/2025-03-03.md']);
    expect((await march('2025-03-05', '2025-03-08')).paths).toEqual(['vault/Daily/thursday.md']);
    expect((await march('2025-04-01', '2025-05-01')).paths).toEqual([]);
  });

  it('ranks templates and comments below notes', async () => {
    const note =
      '# Physiotherapy\n\nThe knee gets better with the exercises for the stairs, three times a week.\n';
    const keepsake = await vaultWith({
      'Templates/Knee.md': '# Knee exercises\n\n## Knee\nKnee exercises:\n',
      'Calls.md': '<!-- Knee exercises: write the knee exercises of the week here. -->\n\n# Calls\nRing.\n',
      'Health/Physio.md': note,
      ...count(5, (index) => [`n${index}.md`, `# ${index}\n\nNothing is due before the spring.\n`]),
    });
    expect((await search(keepsake, ['knee exercises'], 'person')).paths[0]).toBe('vault/Health/Physio.md');
  });

  it('shares the results between queries, and names the one that finds nothing', async () => {
    const keepsake = await vaultWith({
      ...count(30, (index) => [
        `bucket/plumber-${index}.md`,
        `# Plumber ${index}\n\nThe plumber came ${index} times.\n`,
      ]),
      'physio.md': 'The physiotherapist is away.\n',
    });
    const { paths, text } = await search(keepsake, ['plumber', 'qqzzxxw', 'physiotherapist'], 'model');
    expect(paths.indexOf('vault/physio.md' as (typeof paths)[number])).toBe(1);
    expect(text).toContain('note: nothing fits qqzzxxw well');
    expect(text).not.toContain('nothing fits plumber');
  });

  it('prefers what the user said in a conversation to what an AI said', async () => {
    const keepsake = await vaultWith({
      'bucket/a.md': '### Claude\n\nA boiler with noise at night.\n',
      'bucket/b.md': '### You\n\nThe boiler makes a noise, always at night when we sleep.\n',
    });
    expect((await search(keepsake, ['boiler noise night'], 'model')).paths[0]).toBe('vault/bucket/b.md');
  });
});
