import { describe, expect, it } from 'vitest';
import type { AnswerQuestion } from './answer-questions.ts';
import { createSentenceReader } from './read-sentence.ts';
import { answerDimensions, scoreAnswer as scoreOn } from './score-answers.ts';
import type { Answer, AnswerDimension, AnswerScore } from './score-answers.ts';

const today = '2026-09-01';
const path = 'vault/projects/x/state.md';
const common = { vault: undefined, language: 'en', wrong: [], allowed: [] } as const;
const question: AnswerQuestion = {
  ...common,
  wrong: ['8 September'],
  allowed: [],
  id: 'a',
  kind: 'update',
  queries: [],
  question: 'When does it begin, and what does it cost?',
  evidence: [
    { path, text: 'On 6 October.' },
    { path: 'vault/changelog.md', text: '## [decision] It costs 1,250 €' },
  ],
  says: ['2026-10-06', '1250'],
};
const absent: AnswerQuestion = {
  ...common,
  wrong: [{ pattern: 'drawer' }],
  allowed: [],
  id: 'b',
  kind: 'absent',
  queries: [],
  question: 'What is the code of the cabinet?',
  evidence: [],
  says: [],
  unanswerable: true,
};
const state = { path, start: 3, end: 6, text: '## When\n\nOn 6 October.\nAgreed with Anna.' };
const log = { path: 'vault/changelog.md', start: 9, end: 9, text: '## [decision] It costs 1,250 €' };
const perfect: Answer = {
  overview: 'It begins on 6 October [1] and costs 1 250 € [2].',
  blocks: [state, log],
  found: 'yes',
  hasLooked: true,
};
const denial: Answer = {
  overview: 'The vault does not say it.',
  blocks: [log],
  found: 'no',
  hasLooked: true,
};

const scoreAnswer = (asked: AnswerQuestion, answer: Answer): AnswerScore => scoreOn(asked, answer, today);

describe('a perfect answer', () => {
  it.each([
    ['to a question', question, perfect],
    ['that the vault does not have it, above near misses', absent, denial],
    ['that the vault does not have it', absent, { ...denial, blocks: [] }],
  ])('scores 1: %s', (_, asked, answer) => {
    expect(scoreAnswer(asked, answer)).toMatchObject({ score: 1, failed: [], problems: [] });
  });
});

describe('a mutation of a perfect answer', () => {
  const sentence = (overview: string): Answer => ({ ...perfect, overview });
  const beside = (text: string): Answer => ({
    ...perfect,
    blocks: [state, log, { path: 'vault/a.md', start: 1, end: 99, text }],
  });
  const mutants: [string, AnswerDimension, number, AnswerQuestion, Answer][] = [
    [
      'half of the lines',
      'evidence',
      0.5,
      question,
      { ...perfect, blocks: [{ ...state, text: `${state.text}\nIt costs 1,250 €.` }] },
    ],
    ['no figures', 'sentence', 0.5, question, sentence('See below.')],
    ['one figure of two', 'sentence', 0.75, question, sentence('It begins on 6 October.')],
    ['another day', 'sentence', 0.75, question, sentence('It costs 1,250 €, see the October plan.')],
    [
      'an added figure',
      'support',
      0,
      question,
      sentence('It costs 1,250 € from 2026-10-06 on, 900 € before.'),
    ],
    ['an added name', 'support', 0, question, sentence('It costs 1,250 € from 6 October on, says Bob.')],
    ['an added day', 'support', 0, question, sentence('It costs 1,250 € from 6 October to 9 October.')],
    [
      'the value before a change',
      'sentence',
      0,
      question,
      {
        ...sentence('It costs 1,250 € and begins on 8 September.'),
        blocks: [state, log, { path, start: 20, end: 20, text: 'It was 8 September.' }],
      },
    ],
    ['evidence that it denies', 'abstention', 0.5, question, { ...perfect, found: 'no' }],
    ['a long line', 'cost', 0.55, question, beside('x'.repeat(4 * 4_240 - 86))],
    ['a hundred short lines', 'precision', 0.35, question, beside('-\n'.repeat(97))],
    ['no sentence at all', 'length', 0.9, { ...question, says: [] }, sentence('')],
    ['21 lines', 'length', 0.9, { ...question, says: [] }, sentence('row\n'.repeat(21))],
    ['an invented answer without figures', 'abstention', 0, absent, { ...denial, found: 'yes' }],
    ['no search', 'abstention', 0, absent, { ...denial, hasLooked: false }],
    ['an invented figure in a denial', 'support', 0, absent, { ...denial, overview: 'It is 4711.' }],
    ['an invented place in a denial', 'support', 0, absent, { ...denial, overview: 'In the drawer.' }],
  ];

  it.each(mutants)('fails only in its dimension: %s (%s)', (_, dimension, score, asked, answer) => {
    const scored = scoreAnswer(asked, answer);
    expect(scored.failed).toEqual([dimension]);
    expect(scored.score).toBeCloseTo(score, 1);
    expect(scored.problems).toHaveLength(1);
  });

  it('exists for every dimension', () => {
    const tried = new Set(mutants.map(([, dimension]) => dimension));
    expect([...tried].toSorted()).toEqual(answerDimensions.toSorted());
  });
});

describe('the evidence of an answer', () => {
  it('must be whole lines of the right file, and counts once', () => {
    const elsewhere = { ...state, path: 'vault/tasks.md' };
    const cut = { ...state, text: 'On 6 Oct' };
    const scored = scoreAnswer(question, { ...perfect, blocks: [elsewhere, cut, log, log] });
    expect(scored.dimensions.evidence).toBe(0.5);
    // One of the three lines of the first block, one of the second, and one shown twice.
    expect(scored.evidenceShare).toBe(1 / 5);
  });
});

describe('evidence of a memory that writes its own entries', () => {
  const shows = (text: string): number =>
    scoreAnswer(question, { ...perfect, blocks: [state, { ...log, path: '', text }] }).dimensions.evidence;

  it('counts if it contains the line, without its full stop and in any case', () => {
    expect(shows('2026-08-30: ## [Decision] it costs 1,250 € (harbour)')).toBe(1);
    expect(shows('## [decision] It costs 1,350 €')).toBe(0.5);
  });

  it('must be the whole line if that is short', () => {
    const short = { ...log, path: '', text: 'Not on 6 October.' };
    expect(scoreAnswer(question, { ...perfect, blocks: [short, log] }).dimensions.evidence).toBe(0.5);
  });
});

describe('the reader of sentences', () => {
  const says = (overview: string, value: string): boolean =>
    createSentenceReader({ overview, language: 'en', today }).says(value);

  it.each([
    ['It costs 1 250 €.', '1,250'],
    ['Das kostet 1.250 €.', '1250'],
    ['Three people.', '3'],
    ['Le 6 octobre.', '2026-10-06'],
    ['Am 6. Oktober 2026.', '6 October'],
    ['Mit Hélène.', 'helene'],
    ['It is 40 km.', '40 km'],
  ])('finds in “%s” the value %s', (overview, value) => {
    expect(says(overview, value)).toBe(true);
  });

  it.each([
    ['It costs 140.', '40'],
    ['It costs 40.5.', '40'],
    ['It costs 900 € [40].', '40'],
    ['On 7 October.', '2026-10-06'],
    ['In 2025, on 6 October 2025.', '2026-10-06'],
    ['With Helen.', 'Hélène'],
  ])('does not find in “%s” the value %s', (overview, value) => {
    expect(says(overview, value)).toBe(false);
  });
});
