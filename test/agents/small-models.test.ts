import { describe, expect, it } from 'vitest';
import { agentVault } from './agent-vault.ts';

const clock = (): number => new Date(2025, 6, 14, 18, 30).getTime();
const note = 'The landlady keeps the spare key under the blue pot.';
const content = `# 2025-07-14\n\n## The spare key\n${note}`;
const append = { name: 'append', arguments: { path: 'vault/changelog.md', content, position: 'top' } };
const summary = 'Summary: recorded where the spare key is.';
const { signal } = new AbortController();

const protocols = ['openai', 'anthropic'] as const;

describe.each(protocols)('a small model over the %s protocol', (protocol) => {
  it('gets schemas without fields that it does not need', async () => {
    const vault = await agentVault({}, { protocol, clock });
    vault.model.script({ text: summary, calls: [{ tool: 'append', input: append.arguments }] });
    await vault.file({ text: note });
    const sent = JSON.stringify(vault.model.requests[0]?.body['tools']);
    expect(sent).toContain('"queries"');
    expect(sent).not.toMatch(/\$schema|9007199254740991|"null"/);
  });
});
