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
  hasLooked = true,
): AnswerScore => scoreWhole(asked, { ...answer, hasLooked });

describe('an answer', () => {
  it('that shows all the evidence is whole', () => {
    expect(scoreAnswer(question, { overview, blocks: [state, log] })).toEqual({
      covered: 2,
      of: 2,
      recall: 1,
      // 37 and 19 characters
      tokens: 14,
      // Two of four lines that are not blank.
      evidenceShare: 0.5,
      overviewLines: 2,
      score: 1,
      problems: [],
    });
  });

  it('that shows half of it is half', () => {
    expect(scoreAnswer(question, { overview, blocks: [state] })).toMatchObject({
      covered: 1,
      recall: 0.5,
      evidenceShare: 1 / 3,
      score: 0.5,
      problems: ['vault/changelog.md is not shown with the line "## [decision] Later"'],
    });
  });

  it('needs the line of the right file, and all of it', () => {
    const elsewhere = { ...state, path: 'vault/tasks.md' };
    const cut = { ...state, text: 'On 6 Oct' };
    expect(scoreAnswer(question, { overview, blocks: [elsewhere, cut, log] }).recall).toBe(0.5);
  });

  it('counts a line that two blocks show once', () => {
    const again = { path, start: 5, end: 5, text: 'On 6 October.' };
    expect(scoreAnswer(question, { overview, blocks: [state, again, log] }).evidenceShare).toBe(0.5);
  });

  it.each([
    ['', 0],
    ['One line.', 1],
    ['1\n2\n3\n4\n5\n6', 6],
  ])('with the overview %j loses a tenth', (text, lines) => {
    const scored = scoreAnswer(question, { overview: text, blocks: [state, log] });
    expect(scored.score).toBe(0.9);
    expect(scored.problems).toEqual([`the overview should have 2 to 5 lines, but has ${lines}`]);
  });

  it('that pours out the vault loses in proportion', () => {
    const everything = { path: 'vault/a.md', start: 1, end: 1, text: 'x'.repeat(32_000 - 56) };
    const scored = scoreAnswer(question, { overview, blocks: [state, log, everything] });
    expect(scored).toMatchObject({ recall: 1, tokens: 8_000, score: 0.5 });
    expect(scored.problems).toEqual(['the blocks are 8000 tokens, more than 4000']);
  });
});

describe('a question without an answer', () => {
  it('is answered by an overview alone', () => {
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

  it('is not answered by lines', () => {
    expect(scoreAnswer(unanswerable, { overview, blocks: [log] })).toMatchObject({
      recall: 0,
      score: 0,
      problems: ['nothing answers this, but vault/changelog.md is shown'],
    });
  });

  it('is not answered by who never searched', () => {
    expect(scoreAnswer(unanswerable, { overview, blocks: [] }, false)).toMatchObject({
      score: 0,
      problems: ['it says that there is nothing, but never searched'],
    });
  });
});
