import { globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-vault.ts';
import { readScenarios, startingFiles } from './filing-scenarios.ts';
import { scoreFiling } from './score-filing.ts';

const data = 'eval-data/filing';
const scenarios = readScenarios(data);
const notHeld = { held: false };

describe('the scenarios', () => {
  it('are many, about half of them in each language', () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(34);
    const french = scenarios.filter(({ language }) => language === 'fr').length / scenarios.length;
    expect(french).toBeGreaterThan(0.4);
    expect(french).toBeLessThan(0.6);
  });

  it('share two or three vaults of 10 to 20 files', () => {
    const vaults = [...new Set(scenarios.map(({ vault }) => vault))];
    expect(vaults.toSorted()).toEqual(['mixed', 'small-en', 'small-fr']);
    for (const vault of vaults) {
      const files = globSync(`${data}/vaults/${vault}/**/*.md`);
      expect(files.length).toBeGreaterThanOrEqual(10);
      expect(files.length).toBeLessThanOrEqual(20);
    }
  });

  it('hand over images that are small', () => {
    const images = globSync(`${data}/inputs/*.png`);
    expect(images.length).toBeGreaterThanOrEqual(3);
    for (const image of images) expect(statSync(image).size).toBeLessThan(60 * 1024);
  });

  it('cover every kind of inbox outcome, sources other than the person, and a held update', () => {
    const outcomes = new Set(scenarios.map(({ expect: { inbox } }) => inbox));
    expect([...outcomes]).toEqual(expect.arrayContaining(['none', 'new', 'answered', 'still-open']));
    const fromOthers = scenarios.filter(({ inputs }) => inputs.some(({ source }) => source === 'other'));
    expect(fromOthers.length).toBeGreaterThanOrEqual(5);
    expect(scenarios.some(({ expect: { held } }) => held)).toBe(true);
  });

  it.each(scenarios)('$id keeps only lines that are there at first', (scenario) => {
    const files = startingFiles(data, scenario);
    expect(scoreFiling(scenario, files, files, notHeld).nothingLost.problems).toEqual([]);
  });

  it.each(scenarios)('$id names only files, items and globs that mean something at first', (scenario) => {
    const files = startingFiles(data, scenario);
    const paths = [...files.keys()];
    const idle = scenario.expect.untouched.filter(
      (glob) => !paths.some((path) => picomatch.isMatch(path, glob)),
    );
    expect(idle).toEqual([]);
    for (const { inboxRef } of scenario.inputs) {
      if (inboxRef !== undefined) expect(paths).toContain(`inbox/${inboxRef}/review.md`);
    }
  });

  // What an email asks for, or a first input brings, is not there at first and must not be there at last.
  const ofOnePerson = scenarios.filter(({ inputs }) => inputs.length === 1 && inputs[0]?.source === 'person');
  it.each(ofOnePerson)('$id wants gone only what is there at first', (scenario) => {
    const files = startingFiles(data, scenario);
    const { presentOnce } = scoreFiling(scenario, files, files, notHeld);
    const stillThere = presentOnce.problems.filter((problem) => problem.includes(' still says '));
    expect(stillThere).toHaveLength(scenario.expect.gone.length);
  });

  it.each(scenarios)('$id is not solved by doing nothing, if there is something to do', (scenario) => {
    const files = startingFiles(data, scenario);
    const { facts, inbox, changelogEntries, held } = scenario.expect;
    const { share } = scoreFiling(scenario, files, files, notHeld);
    const isToDo = held || inbox === 'new' || inbox === 'answered' || (changelogEntries ?? 0) > 0;
    if (isToDo) expect(share).toBeLessThan(1);
    else expect(share).toBe(1);
    // A fact that stands there already would be credited to anybody.
    const { rightPlace } = scoreFiling(scenario, files, files, notHeld);
    if (isToDo) expect(rightPlace.problems).toHaveLength(facts.length);
  });
});

describe('reading scenarios', () => {
  const valid = ['id: a', 'language: en', 'about: it', 'vault: v', 'inputs: [{ text: hello }]', 'expect: {}'];

  function read(lines: readonly string[], name = 'a.yaml'): ReturnType<typeof readScenarios> {
    const folder = temporaryFolder();
    for (const each of ['scenarios', 'inputs', 'vaults/v/projects']) {
      mkdirSync(join(folder, each), { recursive: true });
    }
    writeFileSync(join(folder, 'vaults/v/tasks.md'), '# One\n');
    writeFileSync(join(folder, 'scenarios', name), lines.join('\n'));
    writeFileSync(join(folder, 'scenarios/notes.txt'), 'not a scenario');
    return readScenarios(folder);
  }

  it('fills in what is usual', () => {
    expect(read(valid)).toEqual([
      {
        id: 'a',
        language: 'en',
        about: 'it',
        vault: 'v',
        files: {},
        inputs: [{ text: 'hello', files: [], source: 'person' }],
        expect: { facts: [], gone: [], kept: [], untouched: [], held: false },
      },
    ]);
  });

  it.each([
    ['an unknown key', [...valid, 'more: 1'], /a\.yaml: .*"more"/s],
    ['what is not YAML', ['a: ['], /a\.yaml: .*line 1/s],
    ['another id', ['id: b', ...valid.slice(1)], /a\.yaml: the id is b, but the file is called a/],
    ['a vault that is not there', valid.with(3, 'vault: w'), /a\.yaml: there is no vault w/],
    [
      'an input that is not there',
      valid.with(4, 'inputs: [{ text: x, files: [y.png] }]'),
      /a\.yaml: there is no input y\.png/,
    ],
    [
      'a fact with text and pattern',
      valid.with(5, 'expect: { facts: [{ text: x, pattern: y, in: [z.md] }] }'),
      /a\.yaml: .*needs either text or pattern/s,
    ],
    [
      'a pattern that is no pattern',
      valid.with(5, "expect: { gone: [{ pattern: '(', in: z.md }] }"),
      /a\.yaml: .*is not a regular expression/s,
    ],
  ])('refuses %s and names the file', (_, lines, message) => {
    expect(() => read(lines)).toThrow(message);
  });

  it('lays files over the vault', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'vaults/v/projects/x'), { recursive: true });
    writeFileSync(join(folder, 'vaults/v/tasks.md'), 'old');
    writeFileSync(join(folder, 'vaults/v/projects/x/state.md'), 'state');
    const [scenario] = read(valid);
    const files = { 'tasks.md': 'new', 'inbox/i/review.md': 'review' };
    expect([...startingFiles(folder, { ...(scenario ?? expect.unreachable()), files })]).toEqual([
      ['inbox/i/review.md', 'review'],
      ['projects/x/state.md', 'state'],
      ['tasks.md', 'new'],
    ]);
  });
});
