import { expect, it } from 'vitest';
import { checkCapture } from './index.ts';

const settings = {
  vault: '/v',
  capture: 'linked',
  unattended: false,
  links: {},
  clients: ['codex'],
} as const;
const lost = { prompts: 0, answers: 0, summaries: 0, lastAt: null };
const status = {
  settings: { ...settings, clients: ['codex'], memoryFiles: [] },
  sessions: 0,
  segments: 0,
  hooks: [],
  lost,
};
const hook = { client: 'codex', event: 'prompt', at: 0, took: 80, problem: null };

it('checkCapture warns about clients that never called a hook, failed hooks and slow hooks', () => {
  expect(checkCapture(status)).toMatchObject([
    { status: 'warning', hint: expect.stringContaining('/hooks') as string },
  ]);
  expect(checkCapture({ ...status, hooks: [{ ...hook, problem: 'no space' }] })).toMatchObject([
    { status: 'warning', message: 'the last prompt of codex was not recorded: no space' },
  ]);
  expect(checkCapture({ ...status, hooks: [{ ...hook, took: 20_000 }] })).toMatchObject([
    { status: 'warning' },
  ]);
  // Clients wait longer than this for a prompt hook, so nothing is lost.
  expect(checkCapture({ ...status, hooks: [{ ...hook, took: 2_000 }] })).toMatchObject([{ status: 'ok' }]);
  expect(checkCapture({ ...status, hooks: [hook] })).toMatchObject([{ status: 'ok' }]);
  expect(checkCapture({ ...status, settings: { ...status.settings, clients: [] } })).toEqual([]);
});

it('checkCapture warns about lost events even if the last call of every hook succeeded', () => {
  const some = { prompts: 3, answers: 0, summaries: 2, lastAt: Date.parse('2026-11-16T09:30:00') };
  expect(checkCapture({ ...status, hooks: [hook], lost: some })).toMatchObject([
    {
      status: 'warning',
      message: 'not recorded in the last 7 days: 3 prompts, 2 summaries; the last one at 2026-11-16 09:30',
    },
  ]);
});
