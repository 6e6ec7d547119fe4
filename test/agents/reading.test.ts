import { describe, expect, it } from 'vitest';
import type { Call, Turn } from '../scripted-model/turn.ts';
import { agentVault } from './agent-vault.ts';

const entry: Call = {
  tool: 'append',
  input: { path: 'vault/changelog.md', content: '# 2026-11-15\n\n## Changed\nOne line.', position: 'top' },
};
const done: Turn = { text: 'Filed.' };

describe('the update agent', () => {
  it('edits the middle of a file larger than any result by following the notes on omitted lines', async () => {
    const lines = Array.from({ length: 9_000 }, (_, index) => `Line number ${index + 1}.`);
    const vault = await agentVault({ 'bucket/long.md': `${lines.join('\n')}\n` });
    vault.model.respond(({ toolResults }, index) => {
      const shown = toolResults.at(-1)?.text ?? '';
      if (index === 0) return { calls: [{ tool: 'read', input: { paths: 'vault/bucket/long.md' } }] };
      if (index === 1) {
        const [, rest] = /omitted .*: (vault\/bucket\/long\.md:\d+-9000)\. Request/.exec(shown) ?? [];
        return { calls: [{ tool: 'read', input: { paths: rest } }] };
      }
      const old = /^5000 \| .*$/m.exec(shown)?.[0];
      const edit = { tool: 'edit', input: { path: 'vault/bucket/long.md', old, new: 'Changed.' } };
      return index === 2 ? { calls: [edit, entry] } : done;
    });
    expect(await vault.file({ text: 'Line 5000 changed.' })).toMatchObject({ state: 'done' });
    expect(vault.text('bucket/long.md')).toContain('Line number 4999.\nChanged.\nLine number 5001.');
  });

  it('edits lines that a search has shown without reading them again', async () => {
    const vault = await agentVault({ 'projects/boiler/state.md': '# Boiler\nThe boiler is old.\n' });
    vault.model.respond(({ toolResults }, index) => {
      if (index === 0) return { calls: [{ tool: 'search', input: { queries: ['boiler'], mode: 'fast' } }] };
      const old = /^\d+ *\| The boiler is old\.$/m.exec(toolResults.at(-1)?.text ?? '')?.[0];
      const edit = {
        tool: 'edit',
        input: { path: 'vault/projects/boiler/state.md', old, new: 'It is new.' },
      };
      return index === 1 ? { calls: [edit, entry] } : done;
    });
    await vault.file({ text: 'The boiler was replaced.' });
    expect(vault.text('projects/boiler/state.md')).toContain('# Boiler\nIt is new.\n');
    const called = vault.model.requests.at(-1)?.toolResults.map(({ tool }) => tool);
    expect(called).toEqual(['search', 'edit', 'append']);
  });
});
