import { describe, expect, it } from 'vitest';
import { createAnswers, keepLatest } from './answers.ts';
import type { Api } from '../api/client.ts';
import type { AnswerRecord } from './answers.ts';

const record = (id: string, letters = 10): AnswerRecord => ({
  id,
  question: 'a'.repeat(letters),
  at: 0,
  state: 'done',
  steps: [],
  answer: null,
  problem: null,
});

describe('the answers of a tab', () => {
  it('are the latest twenty', () => {
    const all = Array.from({ length: 25 }, (_, index) => record(`${index}`));
    expect(keepLatest(all)).toEqual(all.slice(0, 20));
  });

  it('are fewer when they are long, and the newest is among them however long it is', () => {
    const all = [record('new', 2_000_000), record('middle', 10), record('old', 10)];
    expect(keepLatest(all).map(({ id }) => id)).toEqual(['new']);
    const some = [record('new', 600_000), record('middle', 300_000), record('old', 200_000)];
    expect(keepLatest(some).map(({ id }) => id)).toEqual(['new', 'middle']);
  });

  it('are read, too, as they were kept before they said whether they are cited', () => {
    const block = { path: 'vault/a.md', start: 1, end: 1, revision: 'r', text: 'one' };
    const kept = [[block], []].map((blocks, index) => ({
      ...record(`${index}`),
      answer: { overview: 'It is one.', blocks, document: 'It is one.' },
    }));
    const storage = { getItem: () => JSON.stringify(kept) } as unknown as Storage;
    const { list } = createAnswers({ api: {} as Api, storage });
    expect(list.get().map(({ answer }) => answer)).toMatchObject([
      { isCited: true, notes: [] },
      { isCited: false, notes: [] },
    ]);
  });
});
