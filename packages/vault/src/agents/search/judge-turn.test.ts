import { describe, expect, it } from 'vitest';
import { emptyEvidence } from './answer.ts';
import type { Evidence } from './answer.ts';
import { judgeTurn, noProgress } from './judge-turn.ts';
import type { Progress, SearchTurn } from './judge-turn.ts';

const none = emptyEvidence;
const block = { number: 1, path: 'vault/a.md', start: 1, end: 2, revision: '', text: 'one\ntwo' };
const cited: Evidence = { ...none, blocks: [block], text: 'one\ntwo' };
const broken: Evidence = { ...none, errors: [{ path: 'vault/b.md', message: 'file not found' }] };
const overflowing: Evidence = { ...cited, leftOut: [{ path: 'vault/c.md', lines: null }] };
const overview = 'The roof was repaired.\nIn May.';
const rows = (count: number) => Array.from({ length: count }, (_, index) => `- task ${index}`).join('\n');

function judge(turn: Partial<SearchTurn>, progress: Partial<Progress> = {}, unsupported: string[] = []) {
  const whole = { text: '', concat: null, hasLooked: true, hasSeenLines: true, ...turn };
  return judgeTurn({ ...noProgress, ...progress }, whole, () => unsupported);
}
const concat = (evidence: Evidence, request = 'a.md') => ({ request, evidence });

describe('a turn of the search agent', () => {
  it.each([
    ['lines with an overview', { text: overview, concat: concat(cited) }, 'yes'],
    ['lines with an overview of one line', { text: 'In May.', concat: concat(cited) }, 'yes'],
    ['a list of 15 rows', { text: `Due:\n${rows(15)}`, concat: concat(cited) }, 'yes'],
    [
      'a table of 15 rows',
      { text: `| Due | Task |\n| --- | --- |\n${'| May | paint |\n'.repeat(15)}`, concat: concat(cited) },
      'yes',
    ],
    ['an answer to a part', { text: `${overview}\nFound: partly`, concat: concat(cited) }, 'partly'],
    ['a near miss', { text: `${overview}\n**Found: no**`, concat: concat(cited) }, 'no'],
    ['that nothing was found', { text: 'Nothing.\nFound: no' }, 'no'],
    ['an answer after searches without a result', { text: 'Nothing.', hasSeenLines: false }, 'no'],
  ])('is accepted: %s', (_, turn, found) => {
    const verdict = judge(turn);
    expect(verdict).toMatchObject({ kind: 'accept', answer: { found, unsupported: [] } });
    expect(verdict.kind === 'accept' && verdict.answer.overview).not.toContain('Found');
  });

  it.each([
    ['an overview without searching', { text: overview, hasLooked: false }, {}, /not searched the vault/],
    ['lines without an overview', { concat: concat(cited) }, {}, /overview is missing/],
    ['neither lines nor overview', {}, {}, /not answered yet/],
    ['an answer without citations', { text: 'In May.' }, {}, /not cited any lines.*`Found: no`/],
    [
      'too many lines',
      { text: 'a\n'.repeat(6), concat: concat(cited) },
      {},
      /has 6 lines\. Write it in 2 to 5/,
    ],
    ['too many rows', { text: rows(16), concat: concat(cited) }, {}, /has 16 lines/],
    ['more lines than fit', { text: overview, concat: concat(overflowing) }, {}, /Select fewer lines/],
  ])('is rejected with a message: %s', (_, turn, progress, message) => {
    expect(judge(turn, progress)).toMatchObject({ kind: 'ask', text: expect.stringMatching(message) });
  });

  it('is rejected once if the cited lines do not support it, and then accepted with the list', () => {
    const turn = { text: overview, concat: concat(cited) };
    expect(judge(turn, {}, ['1990', '[7]'])).toMatchObject({
      kind: 'ask',
      text: expect.stringContaining('The cited lines do not contain: 1990, [7].'),
      progress: { wasAskedToRevise: true },
    });
    const again = judge({ text: overview }, { evidence: cited, wasAskedToRevise: true }, ['1990']);
    expect(again).toMatchObject({ kind: 'accept', answer: { unsupported: ['1990'], evidence: cited } });
  });

  it('is not rejected again for what it states if it requests the same lines again', () => {
    const turn = { text: overview, concat: concat(cited) };
    expect(judge(turn, { lastConcat: 'a.md' }, ['1990'])).toMatchObject({ kind: 'accept' });
  });

  it('counts as a claim if it cites nothing, also after it was asked to, unless it says so and states nothing', () => {
    const asked = { wasAskedToCite: true };
    expect(judge({ text: 'In May.' }, asked)).toMatchObject({ kind: 'accept', answer: { found: 'yes' } });
    const no = { text: 'Nothing, but Paul owes 75.\nFound: no' };
    expect(judge(no, {}, ['Paul', '75'])).toMatchObject({
      kind: 'ask',
      text: expect.stringContaining('They should show: Paul, 75.'),
    });
    expect(judge(no, asked, ['Paul', '75'])).toMatchObject({ kind: 'accept', answer: { found: 'partly' } });
  });

  it('is rejected without a message if a call failed, because the tool result already says why', () => {
    expect(judge({ text: overview, concat: concat(broken) })).toMatchObject({
      kind: 'ask',
      text: null,
      progress: { corrections: 1, rejected: { overview, evidence: broken } },
    });
  });

  it('is accepted despite errors after three rejections and a request for citations', () => {
    const progress = { corrections: 3, wasAskedToCite: true };
    const verdict = judge({ text: overview, concat: concat(broken) }, progress);
    expect(verdict).toMatchObject({ kind: 'accept', answer: { overview, evidence: broken } });
  });

  it('is accepted if the model repeats a request for lines that do not all fit', () => {
    const verdict = judge({ text: overview, concat: concat(overflowing) }, { lastConcat: 'a.md' });
    expect(verdict).toMatchObject({ kind: 'accept', answer: { evidence: overflowing } });
  });

  it('keeps the lines of the rejected attempt if the model sends only a new overview', () => {
    const rejected = { overview, evidence: overflowing };
    expect(judge({ text: overview }, { rejected })).toMatchObject({
      kind: 'accept',
      answer: { evidence: overflowing },
    });
  });

  it.each([
    ['has still not searched', { text: overview, hasLooked: false }, { wasAskedToSearch: true }],
    ['has still written nothing', {}, { wasAskedForOverview: true }],
  ])('fails if the model %s', (_, turn, progress) => {
    expect(judge(turn, progress)).toMatchObject({ kind: 'fail' });
  });

  it('is stripped of its code fences, and of an overview that was written without searching', () => {
    const verdict = judge({ text: overview, hasLooked: false });
    expect(verdict).toMatchObject({ progress: { overview: '' } });
    expect(judge({ text: '```md\nOne.\nTwo.', concat: concat(cited) })).toMatchObject({
      kind: 'accept',
      answer: { overview: 'One.\nTwo.' },
    });
  });
});
