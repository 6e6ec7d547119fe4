import { expect, it, onTestFinished } from 'vitest';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { openKeepsake, readEnvironment } from '../../../vault/src/app/index.ts';
import { ModelError } from '../../../vault/src/models/index.ts';
import type { ChatModel } from '../../../vault/src/models/index.ts';
import { createAgentSystem } from './system-under-test.ts';
import { createEvaluationClock } from './evaluation-clock.ts';
import { updateUsage } from './usage.ts';

const usage = { input: 0, cached: 0, written: 0, output: 0 };
const input = { path: 'vault/tasks.md', content: '# Two', position: 'bottom' };
const filing = [
  { text: '', calls: [{ id: '1', toolName: 'append', input, isInvalid: false }], rawMessages: '', usage },
  { text: 'Filed.', calls: [], rawMessages: '', usage },
];

it('the evaluation clock skips the delay before a retry', async () => {
  let requests = 0;
  const model: ChatModel = {
    name: 'late',
    async step({ messages }) {
      requests += 1;
      if (requests === 2 || requests === 3) throw new ModelError('unavailable', 'not yet');
      const answered = messages.filter(({ role }) => role === 'assistant').length;
      return filing[Math.min(answered, 1)] ?? expect.unreachable();
    },
  };
  const folder = temporaryFolder();
  layOut(folder, { 'vault/tasks.md': '---\nupdated: 2025-07-14T10:00:00\n---\n\n# One\n' });
  const clock = createEvaluationClock(new Map([['tasks.md', 'updated: 2025-07-14T23:58:00']]));
  const keepsake = await openKeepsake({
    vault: `${folder}/vault`,
    state: `${folder}/state`,
    environment: readEnvironment({ PATH: process.env['PATH'], XDG_CONFIG_HOME: folder }),
    clock: clock.now,
    model,
  });
  onTestFinished(async () => void (await keepsake.close()));
  const update = { text: 'Two', files: [], source: { kind: 'person' as const, name: 'test' } };
  const filed = await createAgentSystem(model).file(keepsake, update, 0, clock);
  expect(filed).toMatchObject({ isSettled: true, isHeld: false, problems: [] });
  expect(clock.now()).toBeGreaterThan(Date.parse('2025-07-15T00:08:00'));
  // The sum over both days; two steps failed without a response.
  expect(updateUsage(filed.spent, false)).toMatchObject({ steps: requests - 2, cost: null });
  expect(filed.spent?.steps).toBeGreaterThan(keepsake.agents.spentToday().steps);
});

it('the evaluation clock starts at the newest edit and never goes back', () => {
  const clock = createEvaluationClock(new Map([['a.md', 'updated: 2025-07-14T10:00:00\n']]));
  expect(clock.day()).toBe('2025-07-14');
  clock.set('2025-07-16T09:00:00');
  expect(clock.day()).toBe('2025-07-16');
  clock.set('2025-07-15T09:00:00');
  expect(clock.day()).toBe('2025-07-16');
});
