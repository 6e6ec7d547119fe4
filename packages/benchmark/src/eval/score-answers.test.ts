import { describe, expect, it } from 'vitest';
import type { AnswerQuestion } from './answer-questions.ts';
import { scoreAnswer as scoreWhole } from './score-answers.ts';
import type { Answer, AnswerScore } from './score-answers.ts';

const path = 'vault/projects/x/state.md';
const question: AnswerQuestion = {
  id: 'a',
  language: 'en',
  question: 'When, and why?',
  evidence: [
    { path, text: 'On 6 October.' },
    { path: 'vault/changelog.md', text: '## [decision] Later' },
  ],
};
const { evidence: _, ...words } = question;
const unanswerable: AnswerQuestion = { ...words, evidence: [], unanswerable: true };
const overview = 'Found in two places.\nThe date has moved.';
const state = { path, start: 3, end: 6, text: '## When\n\nOn 6 October.\nFor six weeks.' };
const log = { path: 'vault/changelog.md', start: 9, end: 9, text: '## [decision] Later' };

const scoreAnswer = (
  asked: AnswerQuestion,
  answer: Pick<Answer, 'overview' | 'blocks'>,
  { hasLooked = true, found = asked.unanswerable === true ? 'no' : 'yes' }: Partial<Answer> = {},
): AnswerScore => scoreWhole(asked, { ...answer, found, hasLooked });

describe('an answer', () => {
  it('scores 1 if it shows all the evidence', () => {
    expect(scoreAnswer(question, { overview, blocks: [state, log] })).toEqual({
      covered: 2,
      of: 2,
      recall: 1,
      // 37 and 19 characters
      tokens: 14,
      // Two of four non-blank lines.
      evidenceShare: 0.5,
      overviewLines: 2,
      score: 1,
      problems: [],
    });
  });

  it('scores 0.5 if it shows half of the evidence', () => {
    expect(scoreAnswer(question, { overview, blocks: [state] })).toMatchObject({
      covered: 1,
      recall: 0.5,
      evidenceShare: 1 / 3,
      score: 0.5,
      problems: ['missing in the answer: line "## [decision] Later" of vault/changelog.md'],
    });
  });

  it('gets points only for whole lines from the right file', () => {
    const elsewhere = { ...state, path: 'vault/tasks.md' };
    const cut = { ...state, text: 'On 6 Oct' };
    expect(scoreAnswer(question, { overview, blocks: [elsewhere, cut, log] }).recall).toBe(0.5);
  });

  it('counts a line only once, even if two blocks show it', () => {
    const again = { path, start: 5, end: 5, text: 'On 6 October.' };
    expect(scoreAnswer(question, { overview, blocks: [state, again, log] }).evidenceShare).toBe(0.5);
  });

  it.each([
    ['', 0],
    ['row\n'.repeat(21), 21],
  ])('loses 0.1 points if the overview is %j', (text, lines) => {
    const scored = scoreAnswer(question, { overview: text, blocks: [state, log] });
    expect(scored.score).toBe(0.9);
    expect(scored.problems).toEqual([`the overview should have 1 to 20 lines, but has ${lines}`]);
  });

  it('loses points in proportion to its length if it is too long', () => {
    const everything = { path: 'vault/a.md', start: 1, end: 1, text: 'x'.repeat(32_000 - 56) };
    const scored = scoreAnswer(question, { overview, blocks: [state, log, everything] });
    expect(scored).toMatchObject({ recall: 1, tokens: 8_000, score: 0.5 });
    expect(scored.problems).toEqual(['the blocks have 8000 tokens, more than 4000']);
  });
});

describe('an answer to an unanswerable question', () => {
  it('is correct if it consists only of an overview', () => {
    expect(scoreAnswer(unanswerable, { overview, blocks: [] })).toEqual({
      covered: 0,
      of: 0,
      recall: 1,
      tokens: 0,
      evidenceShare: 0,
      overviewLines: 2,
      score: 1,
      problems: [],
    });
  });

  it('may show near misses, but must not claim an answer', () => {
    expect(scoreAnswer(unanswerable, { overview, blocks: [log] }).score).toBe(1);
    for (const blocks of [[log], []])
      expect(scoreAnswer(unanswerable, { overview, blocks }, { found: 'yes' })).toMatchObject({
        recall: 0,
        score: 0,
        problems: ['the question has no answer, but the agent says that it found one'],
      });
  });

  it('is wrong if the model did not search', () => {
    expect(scoreAnswer(unanswerable, { overview, blocks: [] }, { hasLooked: false })).toMatchObject({
      score: 0,
      problems: ['reported no answer without a search'],
    });
  });
});
