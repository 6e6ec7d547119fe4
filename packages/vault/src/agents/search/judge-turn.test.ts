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
const concat = (evidence: Evidence, request = 'a.md') => ({ request, evidence });

describe('a turn of the search agent', () => {
  it.each([
    ['lines with an overview', { text: twoLines, concat: concat(cited) }],
    ['an overview alone after searching', { text: twoLines }],
  ])('is accepted: %s', (_, turn) => {
    expect(judge(turn)).toMatchObject({ kind: 'accept', overview: twoLines });
  });

  it.each([
    ['an overview without searching', { text: twoLines, hasLooked: false }, {}, /not searched the vault/],
    ['lines without an overview', { concat: concat(cited) }, {}, /overview is missing/],
    ['neither lines nor overview', {}, {}, /not answered yet/],
    ['an overview of one line', { text: 'In May.', concat: concat(cited) }, {}, /has 1 line\./],
    ['more lines than fit', { text: twoLines, concat: concat(overflowing) }, {}, /Select fewer lines/],
  ])('is rejected with a message: %s', (_, turn, progress, message) => {
    expect(judge(turn, progress)).toMatchObject({ kind: 'ask', text: expect.stringMatching(message) });
  });

  it('is rejected without a message if a call failed, because the tool result already says why', () => {
    expect(judge({ text: twoLines, concat: concat(broken) })).toMatchObject({
      kind: 'ask',
      text: null,
      progress: { corrections: 1, rejected: { overview: twoLines, evidence: broken } },
    });
  });

  it('is accepted despite errors after three rejections', () => {
    const verdict = judge({ text: twoLines, concat: concat(broken) }, { corrections: 3 });
    expect(verdict).toEqual({ kind: 'accept', overview: twoLines, evidence: broken });
  });

  it('is accepted if the model repeats a request for lines that do not all fit', () => {
    const verdict = judge({ text: twoLines, concat: concat(overflowing) }, { lastConcat: 'a.md' });
    expect(verdict).toMatchObject({ kind: 'accept', evidence: overflowing });
  });

  it('keeps the lines of the rejected attempt if the model sends only a new overview', () => {
    const rejected = { overview: twoLines, evidence: overflowing };
    expect(judge({ text: twoLines }, { rejected })).toMatchObject({ kind: 'accept', evidence: overflowing });
  });

  it.each([
    ['has still not searched', { text: twoLines, hasLooked: false }, { wasAskedToSearch: true }],
    ['has still written nothing', {}, { wasAskedForOverview: true }],
  ])('fails if the model %s', (_, turn, progress) => {
    expect(judge(turn, progress)).toMatchObject({ kind: 'fail' });
  });

  it('is stripped of its code fences, and of an overview that was written without searching', () => {
    const verdict = judge({ text: twoLines, hasLooked: false });
    expect(verdict).toMatchObject({ progress: { overview: '' } });
    expect(judge({ text: '```md\nOne.\nTwo.' })).toMatchObject({ kind: 'accept', overview: 'One.\nTwo.' });
  });
});
