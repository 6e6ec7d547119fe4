import { expect, it } from 'vitest';
import { agentVault } from './agent-vault.ts';

it('the test clock advances to the next attempt and no further', async () => {
  const lateInTheEvening = new Date(2025, 6, 14, 23, 59, 30).getTime();
  const { model, file, text } = await agentVault({}, { clock: () => lateInTheEvening });
  model.script(
    { fault: 'garbage' },
    { fault: 'garbage' },
    { calls: [{ tool: 'write', input: { path: 'vault/bucket/a.md', content: 'x\n' } }] },
    { text: 'Filed it.' },
    { text: 'Filed it.' },
  );
  // After 5 and 20 seconds.
  expect(await file({ text: 'x' })).toMatchObject({ state: 'done', attempts: 3 });
  expect(text('changelog.md')).toContain('# 2025-07-14\n\n## Filed it.\n');
  expect(text('bucket/a.md')).toContain('created: 2025-07-14T23:59');
});
