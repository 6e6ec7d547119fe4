import { expect, it } from 'vitest';
import type { Turn } from '../scripted-model/server.ts';
import { agentVault } from './agent-vault.ts';

const context = 20_000;

/** More tokens than the model accepts, and less than a third of the assumed or configured context. */
const talk = Array.from(
  { length: 2_000 },
  (_, turn) => `Operator: this is turn ${turn} of a long talk, more or less.`,
);

function refusal(tokens: number): Turn {
  const message = `This model's maximum context length is ${context} tokens. However, you requested ${tokens} tokens.`;
  return { fault: 'status', status: 400, body: JSON.stringify({ error: { message } }) };
}

it.each([
  ['nothing is configured', 'limits: { steps: 20 }'],
  ['more is configured', 'context: 150000'],
])("the context size in a model's error is used from then on, even when %s", async (_, configuration) => {
  const { model, file } = await agentVault({}, { configuration });
  let refused = 0;
  model.respond(({ rawBody, userTexts }) => {
    const tokens = Math.ceil(rawBody.length / 4);
    if (tokens > context) {
      refused += 1;
      return refusal(tokens);
    }
    const turn = /turn \d+/.exec(userTexts.join('\n'))?.[0] ?? 'nothing';
    const content = `# 2025-07-14\n\n## A talk from ${turn} on`;
    return {
      text: 'Summary: filed.',
      calls: [{ tool: 'append', input: { path: 'vault/changelog.md', content, position: 'top' } }],
    };
  });
  expect(await file({ text: talk.join('\n') })).toMatchObject({ state: 'done', attempts: 1 });
  expect(refused).toBe(1);
  expect(await file({ text: talk.toReversed().join('\n') })).toMatchObject({ state: 'done', attempts: 1 });
  expect(refused).toBe(1);
});
