import { expect, it } from 'vitest';
import type { Api } from '../api/client.ts';
import { createDemo, findDemo } from './demo-script.ts';

type Parts = Parameters<typeof createDemo>[0];

/** A vault of one file in which an undo is undone by undoing it. */
function demoVault(text: string) {
  const calls: string[] = [];
  const file = { text };
  const api = {
    history: { undo: async (id: string) => (calls.push(`undo ${id}`), { id, as: `${id}'` }) },
    files: {
      get: async () => ({ text: file.text, etag: '"1"', mediaType: 'text/markdown' }),
      async save(_: string, changed: string, etag: string) {
        calls.push(`save ${etag}`);
        file.text = changed;
        return { path: 'x', revision: null, change: 'edit' };
      },
    },
  } as unknown as Parts;
  return { api, calls, file };
}

const parts = { update: 'u1', note: 'A note.', files: 4, answer: 'a1' };

it('plays an undo, its redo and an edit that is undone at the end', async () => {
  const { api, calls, file } = demoVault('Dissolved oxygen below 4.5 mg/l.');
  const { steps, restore } = createDemo(api, parts);
  for (const { name, act } of steps) {
    await act?.();
    if (name === 'stale') expect(file.text).toContain('4.2');
  }
  expect(calls).toEqual(['undo u1', "undo u1'", 'save "1"', 'undo edit']);
  await restore();
  expect(calls).toHaveLength(4);
});

it('undoes what it did when it ends in the middle', async () => {
  const { api, calls } = demoVault('Dissolved oxygen below 4.5 mg/l.');
  const { steps, restore } = createDemo(api, parts);
  for (const { name, act } of steps) {
    if (name === 'redo') break;
    await act?.();
  }
  await restore();
  expect(calls).toEqual(['undo u1', "undo u1'"]);
});

it('changes nothing in a note that was changed', async () => {
  const { api, calls } = demoVault('Something else.');
  const stale = createDemo(api, parts).steps.find(({ name }) => name === 'stale');
  await expect(stale?.act?.()).rejects.toThrow('not there');
  expect(calls).toEqual([]);
});

it('is offered only with a recorded update and answer', async () => {
  const none = {
    updates: { list: async () => ({ updates: [] }) },
    answers: { list: async () => ({ answers: [] }) },
  };
  expect(await findDemo(none as unknown as Api)).toBeNull();
});
