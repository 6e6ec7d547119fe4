import { expect, it, onTestFinished } from 'vitest';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { openKeepsake, readEnvironment } from '../../../vault/src/app/index.ts';
import { ModelError } from '../../../vault/src/models/index.ts';
import type { ChatModel } from '../../../vault/src/models/index.ts';
import { agentsWith } from './contender.ts';
import { startClock } from './evaluation-clock.ts';
import { spentOn } from './spent.ts';

const usage = { input: 0, cached: 0, written: 0, output: 0 };
const input = { path: 'vault/tasks.md', content: '# Two', position: 'bottom' };
const filing = [
  { text: '', calls: [{ id: '1', tool: 'append', input, isInvalid: false }], said: '', usage },
  { text: 'Filed.', calls: [], said: '', usage },
];

it('the time until the next attempt is skipped for what answers at once', async () => {
  let asked = 0;
  const model: ChatModel = {
    name: 'late',
    async step({ messages }) {
      asked += 1;
      if (asked === 2 || asked === 3) throw new ModelError('unavailable', 'not yet');
      const said = messages.filter(({ role }) => role === 'assistant').length;
      return filing[Math.min(said, 1)] ?? expect.unreachable();
    },
  };
  const folder = temporaryFolder();
  layOut(folder, { 'vault/tasks.md': '---\nupdated: 2025-07-14T10:00:00\n---\n\n# One\n' });
  const clock = startClock(new Map([['tasks.md', 'updated: 2025-07-14T23:58:00']]));
  const keepsake = await openKeepsake({
    vault: `${folder}/vault`,
    state: `${folder}/state`,
    environment: readEnvironment({ PATH: process.env['PATH'], XDG_CONFIG_HOME: folder }),
    clock: clock.now,
    model,
  });
  onTestFinished(async () => void (await keepsake.close()));
  const update = { text: 'Two', files: [], source: { kind: 'person' as const, name: 'test' } };
  const filed = await agentsWith(model).file(keepsake, update, 0, clock);
  expect(filed).toMatchObject({ isSettled: true, isHeld: false, problems: [] });
  expect(clock.now()).toBeGreaterThan(Date.parse('2025-07-15T00:08:00'));
  // On both days; two steps came to no answer.
  expect(spentOn(filed.spent, false)).toMatchObject({ steps: asked - 2, cost: null });
  expect(filed.spent?.steps).toBeGreaterThan(keepsake.agents.spentToday().steps);
});

it('a clock goes on from the newest edit, and never back', () => {
  const clock = startClock(new Map([['a.md', 'updated: 2025-07-14T10:00:00\n']]));
  expect(clock.day()).toBe('2025-07-14');
  clock.set('2025-07-16T09:00:00');
  expect(clock.day()).toBe('2025-07-16');
  clock.set('2025-07-15T09:00:00');
  expect(clock.day()).toBe('2025-07-16');
});
