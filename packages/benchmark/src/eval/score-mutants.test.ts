import { describe, expect, it } from 'vitest';
import type { Scenario } from './filing-scenarios.ts';
import type { FilingOutcome } from './filing-outcome.ts';
import { scoreFiling } from './score-filing.ts';
import type { FilingScore } from './score-filing.ts';

const scenario: Scenario = {
  id: 'en-all',
  language: 'en',
  about: 'Something is expected in every dimension.',
  tags: [],
  vault: 'v',
  files: {},
  forget: ['villa at the lake'],
  inputs: [
    {
      text: 'The delivery moves to 15 September, says Anna. The scaffold is paid by the neighbour.',
      files: [],
      source: 'person',
    },
    { text: 'An email: the day rate is 700 now.', files: [], source: 'other' },
  ],
  expect: {
    facts: [{ text: '15 September', in: ['projects/x/state.md'], times: 1 }],
    gone: [{ text: '1 August', in: 'projects/x/state.md' }],
    kept: [{ text: 'Three people work on it.', in: 'projects/x/state.md' }],
    untouched: ['profile.md'],
    inbox: 'none',
    held: true,
    changelogEntries: 1,
    allowed: [],
    complete: true,
    secrets: ['hunter2-Xy81'],
    questions: [
      {
        question: 'When is the delivery?',
        evidence: [{ text: '15 September' }],
        outdated: [{ text: '1 August' }],
      },
    ],
  },
};
const notes = `## Team
Three people work on it.
The carpenter has the key of the shed and lends the long ladder.
The mason comes with an own mixer and needs the tap in the yard.
`;
const before = new Map([
  ['profile.md', '# Me\n\nDay rate: 500\n'],
  ['tasks.md', '---\ntokens: 163\n---\n\n# Call the bank\n'],
  ['changelog.md', '# 2025-07-01\n\n## Began\n'],
  ['projects/x/state.md', `## Delivery\nDelivery on 1 August.\n\n${notes}`],
  ['projects/y/state.md', '## Roof\nTight.\n'],
]);
const entry = '# 2025-07-15\n\n## Delivery moved\nTo 15 September, says Anna.\n\n';
const state = `## Delivery\nDelivery on 15 September.\nThe neighbour pays for the scaffold.\n\n${notes}`;
const perfect: FilingOutcome = {
  files: new Map([
    ...before,
    ['projects/x/state.md', state],
    ['changelog.md', `${entry}${before.get('changelog.md')}`],
  ]),
  settled: 2,
  held: true,
  days: ['2025-07-15'],
  answers: [['## Delivery', 'Delivery on 15 September.', 'It was 1 August before.']],
  receipts: [
    { outcome: 'filed', text: 'The delivery is on 15 September now.', paths: ['vault/changelog.md'] },
  ],
};

function score(outcome: FilingOutcome): FilingScore {
  return scoreFiling(scenario, { files: before, documents: [] }, outcome);
}

function withFiles(...files: readonly [string, string][]): FilingOutcome {
  return { ...perfect, files: new Map([...perfect.files, ...files]) };
}

const stateAfter = (from: string, to: string): [string, string] => [
  'projects/x/state.md',
  state.replace(from, to),
];

describe('a perfect run', () => {
  it('passes, and an unchanged vault scores zero', () => {
    expect(score(perfect)).toMatchObject({ strict: true, share: 1, normalised: 1 });
    const nothing = { files: before, settled: 0, held: false, days: [], answers: [], receipts: [] };
    expect(score(nothing)).toMatchObject({ strict: false, normalised: 0 });
  });
});

describe('a mutation of a perfect run', () => {
  const wrongProject = withFiles(stateAfter('Delivery on 15 September.', 'Soon.'), [
    'projects/y/state.md',
    '## Roof\nTight.\nDelivery on 15 September.\n',
  ]);
  const mutants: [string, keyof FilingScore['dimensions'], FilingOutcome][] = [
    ['an unfinished input', 'settled', { ...perfect, settled: 1 }],
    ['a fact in the wrong project', 'rightPlace', wrongProject],
    [
      'a duplicated fact',
      'presentOnce',
      withFiles(['tasks.md', '# Call the bank\n# Deliver on 15 September\n']),
    ],
    [
      'an outdated fact left next to the new one',
      'presentOnce',
      withFiles(stateAfter('Delivery on 15', 'Not on 1 August. Delivery on 15')),
    ],
    ['a lost line', 'nothingLost', withFiles(stateAfter('Three people work on it.\n', ''))],
    [
      'a change to an unrelated file',
      'noWrongOverwrite',
      withFiles(['profile.md', '# Me\n\nDay rate: 700\n']),
    ],
    ['an unnecessary question', 'inbox', withFiles(['inbox/a/review.md', 'Which?\n'])],
    [
      'a second entry in the changelog',
      'changelog',
      withFiles(['changelog.md', `## Delivery again\n\n${perfect.files.get('changelog.md')}`]),
    ],
    ['an update that was not held', 'held', { ...perfect, held: false }],
    ['an invented number', 'precision', withFiles(stateAfter('Three', 'It costs 4,200.\nThree'))],
    [
      'a number that occurs only in a stamp',
      'precision',
      withFiles(stateAfter('Three', 'It costs 163.\nThree')),
    ],
    ['an invented name', 'precision', withFiles(stateAfter('Three', 'It was agreed with Bob.\nThree'))],
    ['an invented date', 'precision', withFiles(stateAfter('Three', 'Until 16 September.\nThree'))],
    ['an answer without the evidence', 'questions', { ...perfect, answers: [['It is soon.']] }],
    ['an outdated answer', 'questions', { ...perfect, answers: [['Delivery on 1 August.']] }],
    ['no answer', 'questions', { ...perfect, answers: [] }],
    [
      'half of the input filed',
      'complete',
      withFiles(stateAfter('The neighbour pays for the scaffold.\n', '')),
    ],
    [
      'a paragraph gone that no expectation names',
      'gutted',
      withFiles(
        stateAfter(
          'The carpenter has the key of the shed and lends the long ladder.\nThe mason comes with an own mixer and needs the tap in the yard.\n',
          '',
        ),
      ),
    ],
    [
      'a receipt with a figure from nowhere',
      'receipt',
      { ...perfect, receipts: [{ outcome: 'filed', text: 'Delivery moved, 4,200 saved.' }] },
    ],
    [
      'a forgotten place that is still in the title of a file',
      'forgotten',
      withFiles(['bucket/Villa at the lake.md', 'Three people work on it.\n']),
    ],
    [
      'a stored secret',
      'secrets',
      withFiles(['bucket/mail.md', 'Three people work on it. <!-- hunter2-Xy81 -->\n']),
    ],
  ];

  it.each(mutants)('fails only in its dimension: %s (%s)', (_, dimension, outcome) => {
    const { strict, dimensions } = score(outcome);
    expect(strict).toBe(false);
    const failed = Object.entries(dimensions).filter(([, { passed, of }]) => passed < of);
    expect(failed.map(([name]) => name)).toEqual([dimension]);
  });

  it('exists for every dimension', () => {
    const tried = new Set(mutants.map(([, dimension]) => dimension));
    expect([...tried].toSorted()).toEqual(Object.keys(score(perfect).dimensions).toSorted());
  });
});

describe('a reference to a note', () => {
  const problemsOf = (text: string): string[] =>
    score({ ...perfect, receipts: [{ outcome: 'known', text }] }).dimensions.receipt.problems;

  it('may name lines in a receipt if the note has them', () => {
    expect(problemsOf('Already known: vault/projects/x/state.md:4-6.')).toEqual([]);
    expect(problemsOf('Already known: vault/projects/x/state.md:4-97.')).toHaveLength(1);
    expect(problemsOf('Already known: vault/projects/z/state.md:97.')).toHaveLength(1);
  });

  it('is no invented figure in a changelog', () => {
    const kept = 'bucket/2025-07-15-mail-9d67.md';
    const withPath = (path: string): FilingOutcome =>
      withFiles(
        [kept, 'As received.\n'],
        ['changelog.md', `${perfect.files.get('changelog.md')}\n- vault/${path}\n`],
      );
    expect(score(withPath(kept)).strict).toBe(true);
    expect(score(withPath('bucket/4200.md')).dimensions.precision.problems).toHaveLength(1);
  });
});

it('the time that came with an input may be kept', () => {
  const log = withFiles(['bucket/log.md', '2025-07-15T17:31:00 The delivery moves to 15 September.\n']);
  expect(score({ ...log, times: ['2025-07-15T17:31:00'] }).strict).toBe(true);
  expect(score(log).dimensions.precision.problems).toHaveLength(1);
});

describe('frontmatter', () => {
  it('counts neither as a place for facts nor as invented content', () => {
    const hidden = withFiles([
      'projects/x/state.md',
      state
        .replace('Delivery on 15 September.', 'Soon.')
        .replace('## Delivery', '---\nwhen: 15 September\n---\n## Delivery'),
    ]);
    expect(score(hidden).dimensions.rightPlace.passed).toBe(0);
    const stamped = withFiles([
      'projects/x/state.md',
      `---\nreceived: 2031-01-01T00:00:00\ntokens: 4711\n---\n${state}`,
    ]);
    expect(score(stamped).strict).toBe(true);
  });
});
