import { globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { readScenarios, initialFiles } from './filing-scenarios.ts';
import type { Scenario } from './filing-scenarios.ts';
import { scoreFiling } from './score-filing.ts';
import type { FilingScore } from './score-filing.ts';

const data = 'packages/benchmark/data/filing';
const scenarios = [...readScenarios(data), ...readScenarios(data, 'sequences')];

const scoresOfNothing = new Map<Scenario, FilingScore>();

/** The score of doing nothing, computed once per scenario. */
function scoreNothing(scenario: Scenario): FilingScore {
  const known = scoresOfNothing.get(scenario);
  if (known !== undefined) return known;
  const files = initialFiles(data, scenario);
  const nothing = { files, settled: 0, held: false, days: [], answers: [], receipts: [] };
  const score = scoreFiling(scenario, { files, documents: [] }, nothing);
  scoresOfNothing.set(scenario, score);
  return score;
}

describe('the scenarios', () => {
  it('cover every language and have unique ids', () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(51);
    for (const language of ['fr', 'en'])
      expect(scenarios.filter((each) => each.language === language).length).toBeGreaterThan(20);
    expect(new Set(scenarios.map(({ id }) => id)).size).toBe(scenarios.length);
  });

  it('start from vaults with all standard files', () => {
    // An adopted vault has the files of another program.
    const own = scenarios.filter(({ tags }) => !tags.includes('adopted'));
    for (const vault of new Set(own.map((each) => each.vault))) {
      const files = globSync('**/*.md', { cwd: `${data}/vaults/${vault}` });
      expect(files).toEqual(
        expect.arrayContaining(['overview.md', 'profile.md', 'tasks.md', 'changelog.md']),
      );
      expect(files.length).toBeGreaterThanOrEqual(10);
    }
  });

  it('contain only small images', () => {
    const images = globSync(`${data}/inputs/*.png`);
    expect(images.length).toBeGreaterThanOrEqual(3);
    for (const image of images) expect(statSync(image).size).toBeLessThan(60 * 1024);
  });

  it('cover every inbox outcome, inputs that are not from the user, and a held update', () => {
    const outcomes = new Set(scenarios.map(({ expect: { inbox } }) => inbox));
    expect([...outcomes]).toEqual(expect.arrayContaining(['none', 'new', 'answered', 'still-open']));
    const fromOthers = scenarios.filter(({ inputs }) => inputs.some(({ source }) => source === 'other'));
    expect(fromOthers.length).toBeGreaterThanOrEqual(5);
    expect(scenarios.some(({ expect: { held } }) => held)).toBe(true);
  });

  it.each(scenarios)('list only lines to keep that exist at the start: $id', (scenario) => {
    expect(scoreNothing(scenario).dimensions.nothingLost.problems).toEqual([]);
  });

  it.each(scenarios)('refer only to files and inbox items that exist at the start: $id', (scenario) => {
    const files = initialFiles(data, scenario);
    const paths = [...files.keys()];
    const idle = scenario.expect.untouched.filter(
      (glob) => !paths.some((path) => picomatch.isMatch(path, glob)),
    );
    expect(idle).toEqual([]);
    for (const { inboxRef } of scenario.inputs) {
      if (inboxRef !== undefined) expect(paths).toContain(`inbox/${inboxRef}/review.md`);
    }
  });

  // A demand in an email, or a fact of an earlier input, is absent at the start and must still be absent at the end.
  const ofOnePerson = scenarios.filter(({ inputs }) => inputs.length === 1 && inputs[0]?.source === 'person');
  it.each(ofOnePerson)('list only text to remove that exists at the start: $id', (scenario) => {
    const { presentOnce } = scoreNothing(scenario).dimensions;
    const stillThere = presentOnce.problems.filter((problem) => problem.includes(' still says '));
    expect(stillThere).toHaveLength(scenario.expect.gone.length);
  });

  it.each(scenarios)('have a score of 0 if nothing is filed: $id', (scenario) => {
    const { strict, normalised, dimensions } = scoreNothing(scenario);
    expect({ strict, normalised }).toEqual({ strict: false, normalised: 0 });
    // A fact that exists at the start would count for every system.
    const { facts, inbox, changelogEntries, held } = scenario.expect;
    const isToDo = held || inbox === 'new' || inbox === 'answered' || (changelogEntries ?? 0) > 0;
    if (isToDo) expect(dimensions.rightPlace.problems).toHaveLength(facts.length);
  });
});

describe('a scenario', () => {
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

  it('gets defaults for omitted keys', () => {
    expect(read(valid)).toEqual([
      {
        id: 'a',
        language: 'en',
        about: 'it',
        tags: [],
        vault: 'v',
        files: {},
        forget: [],
        inputs: [{ text: 'hello', files: [], source: 'person' }],
        expect: {
          complete: false,
          secrets: [],
          facts: [],
          gone: [],
          kept: [],
          untouched: [],
          held: false,
          allowed: [],
          questions: [],
        },
      },
    ]);
  });

  it.each([
    ['an unknown key', [...valid, 'more: 1'], /a\.yaml: .*"more"/s],
    ['invalid YAML', ['a: ['], /a\.yaml: .*line 1/s],
    ['another id', ['id: b', ...valid.slice(1)], /a\.yaml: the id is b, but the file name is a/],
    ['a missing vault', valid.with(3, 'vault: w'), /a\.yaml: vault w does not exist/],
    [
      'a missing input',
      valid.with(4, 'inputs: [{ text: x, files: [y.png] }]'),
      /a\.yaml: there is no input y\.png/,
    ],
    ['an unknown tag', [...valid, 'tags: [new]'], /a\.yaml: .*tags/s],
    [
      'a clock that goes back',
      valid.with(
        4,
        "inputs: [{ text: x, at: '2026-03-02T09:00:00' }, { text: y, at: '2026-03-01T09:00:00' }]",
      ),
      /a\.yaml: .*before that of an earlier one/s,
    ],
    [
      'a question without evidence',
      valid.with(5, 'expect: { questions: [{ question: Where?, evidence: [] }] }'),
      /a\.yaml: .*evidence/s,
    ],
    [
      'a fact with text and pattern',
      valid.with(5, 'expect: { facts: [{ text: x, pattern: y, in: [z.md] }] }'),
      /a\.yaml: .*needs either text or pattern/s,
    ],
    [
      'an invalid pattern',
      valid.with(5, "expect: { gone: [{ pattern: '(', in: z.md }] }"),
      /a\.yaml: .*is not a regular expression/s,
    ],
  ])('is rejected with its file name for %s', (_, lines, message) => {
    expect(() => read(lines)).toThrow(message);
  });

  it('overlays its files on those of its vault', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'vaults/v/projects/x'), { recursive: true });
    writeFileSync(join(folder, 'vaults/v/tasks.md'), 'old');
    writeFileSync(join(folder, 'vaults/v/projects/x/state.md'), 'state');
    const [scenario] = read(valid);
    const files = { 'tasks.md': 'new', 'inbox/i/review.md': 'review' };
    expect([...initialFiles(folder, { ...(scenario ?? expect.unreachable()), files })]).toEqual([
      ['inbox/i/review.md', 'review'],
      ['projects/x/state.md', 'state'],
      ['tasks.md', 'new'],
    ]);
  });
});
