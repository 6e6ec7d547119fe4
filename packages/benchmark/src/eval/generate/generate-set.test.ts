import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../../../../../test/sample-of.ts';
import { temporaryFolder } from '../../../../../test/temporary-vault.ts';
import { readEnvironment } from '../../../../vault/src/app/index.ts';
import { readScenarios, initialFiles } from '../filing-scenarios.ts';
import type { Scenario } from '../filing-scenarios.ts';
import { evaluateFiling } from '../evaluate-filing.ts';
import { scoreFiling } from '../score-filing.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { generatedLanguages, generateSet, writePublishedSequences } from './generate-set.ts';
import { german } from './german.ts';
import { updateCountRange, generateSequence } from './sequence.ts';
import { generateSingle, singleKinds } from './single-scenario.ts';
import { writeSet } from './write-set.ts';

const options = {
  languages: generatedLanguages,
  seed: 5,
  updates: 20,
  singles: 2,
  transcripts: 2_000,
  questions: 0,
};

function filesIn(folder: string): Map<string, string> {
  const paths = globSync('**/*.{yaml,md}', { cwd: folder }).toSorted();
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** The score of doing nothing. */
function scoreOfNothing(data: string, scenario: Scenario): number {
  const files = initialFiles(data, scenario);
  const nothing = { files, settled: 0, held: false, days: [], answers: [], receipts: [] };
  return scoreFiling(scenario, { files, documents: [] }, nothing).normalised;
}

function evaluateSolutions(data: string): ReturnType<typeof evaluateFiling> {
  const environment = readEnvironment({ PATH: process.env['PATH'] });
  return evaluateFiling({
    data,
    who: 'solutions',
    environment,
    hasPrices: false,
    onProgress: () => undefined,
  });
}

describe('a generated set', () => {
  it('is byte for byte the same for the same seed, and different for another seed', () => {
    const [one, two, other] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    const named = generateSet(one, options);
    expect(generateSet(two, options)).toEqual(named);
    expect(filesIn(two)).toEqual(filesIn(one));
    expect(named.files).toBe(filesIn(one).size);
    expect(generateSet(other, { ...options, seed: 6 }).sha256).not.toBe(named.sha256);
  });

  it.each([updateCountRange.minUpdates, updateCountRange.maxUpdates])(
    'can have %i inputs per sequence, of which almost all contain something to file',
    (updates) => {
      for (const book of [english, french, german]) {
        const { solution } = generateSequence(book, { seed: 3, updates, transcripts: 500 });
        const { inputs } = solution as { inputs: { steps: { calls: unknown[] }[] }[] };
        expect(inputs).toHaveLength(updates);
        // A changelog entry alone is not enough, except for a third party's demand about the profile.
        const empty = inputs.filter(({ steps }) => (steps[1]?.calls.length ?? 0) < 2);
        expect(empty.length).toBeLessThanOrEqual(updates * 0.05);
      }
    },
  );

  it('has the requested number of inputs per sequence, and questions about changed facts', () => {
    const folder = temporaryFolder();
    generateSet(folder, { ...options, updates: 53, singles: 0 });
    const sequences = readScenarios(folder, 'sequences');
    expect(sequences.map(({ inputs }) => inputs.length)).toEqual([53, 53, 53]);
    expect(readScenarios(folder)).toEqual([]);
    for (const { inputs, expect: expected } of sequences) {
      expect(new Set(inputs.map(({ text }) => text)).size).toBeGreaterThan(45);
      expect(expected.questions.some(({ outdated }) => outdated.length > 0)).toBe(true);
      expect(expected.gone.length).toBeGreaterThan(5);
    }
  });

  it('has different projects for another seed', () => {
    const folders = [temporaryFolder(), temporaryFolder()];
    const slugs = folders.map((folder, index) => {
      generateSet(folder, { ...options, seed: 100 + index, updates: 0, singles: 8 });
      const paths = readScenarios(folder).flatMap((each) => [...initialFiles(folder, each).keys()]);
      return new Set(paths.flatMap((path) => /^projects\/([^/]+)\//.exec(path)?.[1] ?? []));
    });
    const [one = new Set<string>(), two = new Set<string>()] = slugs;
    expect(one.intersection(two).size).toBeLessThan(one.size / 20);
  });

  it.each(sampleOf(generatedLanguages, 3))(
    'in %s is solved completely by its reference solutions, and every scenario scores zero if nothing is done',
    async (language) => {
      const data = temporaryFolder();
      generateSet(data, { ...options, languages: [language], singles: 6 });
      const rows = await evaluateSolutions(data);
      expect(rows).toHaveLength(7);
      expect(rows.filter(({ strict }) => !strict)).toEqual([]);
      const scenarios = [...readScenarios(data), ...readScenarios(data, 'sequences')];
      expect(scenarios.filter((scenario) => scoreOfNothing(data, scenario) > 0)).toEqual([]);
    },
  );
});

it('a generated secret is stored nowhere, and generated words to forget are gone, with the reference solutions', async () => {
  const data = temporaryFolder();
  const singles = [english, french, german].flatMap((book) =>
    (['secret', 'forget'] as const).map((kind) => generateSingle(book, 5, singleKinds.indexOf(kind))),
  );
  writeSet(data, { singles, sequences: [] });
  const scenarios = readScenarios(data);
  expect(scenarios.flatMap(({ expect: { secrets } }) => secrets)).toHaveLength(3);
  expect(scenarios.flatMap(({ forget }) => forget)).toHaveLength(3);
  const rows = await evaluateSolutions(data);
  expect(rows.filter(({ strict }) => !strict)).toEqual([]);
  expect(scenarios.filter((scenario) => scoreOfNothing(data, scenario) > 0)).toEqual([]);
});

describe('the published sequences', () => {
  it('equal the output of the generator', () => {
    const folder = temporaryFolder();
    writePublishedSequences(folder);
    const generated = filesIn(folder);
    const isOther = ([path, text]: [string, string]): boolean =>
      readFileSync(join('packages/benchmark/data/filing', path), 'utf8') !== text;
    expect([...generated].filter(isOther).map(([path]) => path)).toEqual([]);
    expect(generated.size).toBeGreaterThan(100);
  });

  it('include two per language, with 60 and 80 inputs, of which one has more than 100,000 tokens of input files', () => {
    const sequences = readScenarios('packages/benchmark/data/filing', 'sequences');
    for (const language of generatedLanguages) {
      const own = sequences.filter((each) => each.language === language);
      expect(own.map(({ inputs }) => inputs.length)).toEqual([60, 80]);
      const names = own.map(({ inputs }) => inputs.flatMap(({ files }) => files));
      const lengths = names.map((list) =>
        list.map((name) => readFileSync(join('packages/benchmark/data/filing/inputs', name), 'utf8').length),
      );
      const tokens = lengths.map((list) => list.reduce((sum, length) => sum + length / 4, 0));
      expect(Math.max(...tokens)).toBeGreaterThan(100_000);
    }
  });
});
