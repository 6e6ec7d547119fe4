import { describe, expect, it } from 'vitest';
import type { Evidence } from './answer.ts';
import { judgeTurn, noProgress } from './judge-turn.ts';
import type { Progress, SearchTurn } from './judge-turn.ts';

const block = { path: 'vault/a.md', start: 1, end: 2, text: 'one\ntwo' };
const cited = { blocks: [block], text: 'one\ntwo', errors: [], leftOut: [] } as unknown as Evidence;
const broken: Evidence = { blocks: [], text: '', errors: ['error: vault/b.md: not found'], leftOut: [] };
const overflowing: Evidence = { ...cited, leftOut: [{ path: 'vault/c.md', lines: null }] };
const twoLines = 'The roof was repaired.\nIn May.';

function judge(turn: Partial<SearchTurn>, progress: Partial<Progress> = {}) {
  return judgeTurn({ ...noProgress, ...progress }, { text: '', concat: null, hasLooked: true, ...turn });
}
const concat = (evidence: Evidence, asked = 'a.md') => ({ asked, evidence });

describe('a turn of the search agent', () => {
  it.each([
    ['lines with an overview', { text: twoLines, concat: concat(cited) }],
    ['an overview alone after looking', { text: twoLines }],
  ])('is accepted: %s', (_, turn) => {
    expect(judge(turn)).toMatchObject({ kind: 'accept', overview: twoLines });
  });

  it.each([
    ['an overview without a look', { text: twoLines, hasLooked: false }, {}, /not looked into the vault/],
    ['lines without an overview', { concat: concat(cited) }, {}, /overview is missing/],
    ['neither lines nor overview', {}, {}, /no answer yet/],
    ['an overview of one line', { text: 'In May.', concat: concat(cited) }, {}, /has 1 lines/],
    ['more lines than fit', { text: twoLines, concat: concat(overflowing) }, {}, /Choose fewer lines/],
  ])('is returned with a message: %s', (_, turn, progress, message) => {
    expect(judge(turn, progress)).toMatchObject({ kind: 'ask', text: expect.stringMatching(message) });
  });

  it('is returned without a message when a call has failed, because its result says why', () => {
    expect(judge({ text: twoLines, concat: concat(broken) })).toMatchObject({
      kind: 'ask',
      text: null,
      progress: { corrections: 1, returned: { overview: twoLines, evidence: broken } },
    });
  });

  it('is accepted as it is after three corrections', () => {
    const verdict = judge({ text: twoLines, concat: concat(broken) }, { corrections: 3 });
    expect(verdict).toEqual({ kind: 'accept', overview: twoLines, evidence: broken });
  });

  it('is accepted when the model insists on lines that do not all fit', () => {
    const verdict = judge({ text: twoLines, concat: concat(overflowing) }, { lastConcat: 'a.md' });
    expect(verdict).toMatchObject({ kind: 'accept', evidence: overflowing });
  });

  it('keeps the lines that were returned when the model repeats its overview', () => {
    const returned = { overview: twoLines, evidence: overflowing };
    expect(judge({ text: twoLines }, { returned })).toMatchObject({ kind: 'accept', evidence: overflowing });
  });

  it.each([
    ['has still not looked', { text: twoLines, hasLooked: false }, { hasBeenToldToLook: true }],
    ['has still written nothing', {}, { hasBeenAskedForOverview: true }],
  ])('fails when the model %s', (_, turn, progress) => {
    expect(judge(turn, progress)).toMatchObject({ kind: 'fail' });
  });

  it('drops an overview that was written without a look, and code fences', () => {
    const verdict = judge({ text: twoLines, hasLooked: false });
    expect(verdict).toMatchObject({ progress: { overview: '' } });
    expect(judge({ text: '```md\nOne.\nTwo.' })).toMatchObject({ kind: 'accept', overview: 'One.\nTwo.' });
  });
});
