import { expect, it } from 'vitest';
import { checkCapture } from './index.ts';

const settings = {
  vault: '/v',
  capture: 'linked',
  unattended: false,
  links: {},
  clients: ['codex'],
} as const;
const status = { settings: { ...settings, clients: ['codex'] }, sessions: 0, segments: 0, hooks: [] };
const hook = { client: 'codex', event: 'prompt', at: 0, took: 80, problem: null };

it('tells of a client that has the plugin and is silent, of failures and of slow hooks', () => {
  expect(checkCapture(status)).toMatchObject([
    { status: 'warning', mend: expect.stringContaining('/hooks') as string },
  ]);
  expect(checkCapture({ ...status, hooks: [{ ...hook, problem: 'no space' }] })).toMatchObject([
    { status: 'warning', message: 'the last prompt of codex was not recorded: no space' },
  ]);
  expect(checkCapture({ ...status, hooks: [{ ...hook, took: 2_000 }] })).toMatchObject([
    { status: 'warning' },
  ]);
  expect(checkCapture({ ...status, hooks: [hook] })).toMatchObject([{ status: 'ok' }]);
  expect(checkCapture({ ...status, settings: { ...status.settings, clients: [] } })).toEqual([]);
});
