import { expect, it, onTestFinished } from 'vitest';
import type { Turn } from '../scripted-model/server.ts';
import { agentVault } from './agent-vault.ts';

it('two questions are answered while an update waits for its model, and then the update finishes', async () => {
  const { model, file, keepsake, text, events } = await agentVault({
    'bucket/owl.md': 'The owl hoots.\n',
    'bucket/fox.md': 'The fox barks.\n',
  });
  const { promise: isReached, resolve: reached } = Promise.withResolvers<void>();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const steps: Turn[] = [
    { calls: [{ tool: 'write', input: { path: 'bucket/owl-news.md', content: 'The owl sleeps.\n' } }] },
  ];
  model.respond(async ({ toolNames, userTexts }) => {
    if (toolNames.includes('write')) {
      const next = steps.shift();
      if (next !== undefined) return next;
      reached();
      await isReleased;
      return { text: 'Filed the news.' };
    }
    const animal = userTexts.at(-1)?.includes('does the owl') === true ? 'owl' : 'fox';
    const files = [{ path: `bucket/${animal}.md` }];
    return { text: `About the ${animal}.\nSee below.`, calls: [{ tool: 'concat', input: { files } }] };
  });

  const filing = file({ text: 'The owl sleeps.' });
  onTestFinished(async () => {
    release();
    await filing;
  });
  await isReached;
  const { signal } = new AbortController();
  const answers = await Promise.all([
    keepsake.agents.ask('What does the owl do?', signal),
    keepsake.agents.ask('What does the fox do?', signal),
  ]);
  expect(answers.map(({ document }) => document)).toEqual([
    expect.stringMatching(/^About the owl\.\nSee below\.\n\n---\n\n[^]*The owl hoots\./),
    expect.stringMatching(/^About the fox\.\nSee below\.\n\n---\n\n[^]*The fox barks\./),
  ]);
  // The update is still running, and none of its changes are visible yet.
  expect(keepsake.agents.updates.list({ state: 'running', limit: 2 }).length).toBe(1);
  expect(text('bucket/owl-news.md')).toBeNull();

  release();
  expect(await filing).toMatchObject({ state: 'done', attempts: 1, result: { kind: 'filed' } });
  expect(text('bucket/owl-news.md')).toContain('The owl sleeps.');
  const order = events
    .map(({ type }) => type)
    .filter((type) => /^answer-finished|update-committed/.test(type));
  expect(order).toEqual(['answer-finished', 'answer-finished', 'update-committed']);
});
