import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { bindReadTools } from '../../packages/vault/src/agents/bind-tools.ts';
import { answerQuestion } from '../../packages/vault/src/agents/index.ts';
import type { ReadRun, ReadTool, Tool, WriteRun } from '../../packages/vault/src/tools/index.ts';
import type { Call } from '../scripted-model/server.ts';
import { agentVault, looking } from './agent-vault.ts';

/** Hashes names, contents, modes and times of everything in a folder, including folders and hidden files. */
function hashOf(folder: string): string {
  const hash = createHash('sha256');
  for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()]) {
    const stats = lstatSync(join(folder, path), { bigint: true });
    hash.update(`${path}\0${stats.mode}\0${stats.ino}\0${stats.mtimeNs}\0${stats.ctimeNs}\0`);
    if (stats.isFile()) hash.update(readFileSync(join(folder, path)));
  }
  return hash.digest('hex');
}

const files = {
  'tasks.md': '# Call the bank\nstatus: à-faire\n',
  'bucket/note.md': '# Owl\nThe owl hoots.\n',
  'projects/x/state.md': '## Status\nactive\n',
};

/** Inputs that the tools accept from an agent that may write. */
const writing: Call[] = [
  { tool: 'write', input: { path: 'vault/bucket/new.md', content: '# New\n' } },
  { tool: 'write', input: { path: 'vault/bucket/note.md', content: 'Replaced.\n' } },
  { tool: 'edit', input: { path: 'vault/tasks.md', old: '2  | status: à-faire', new: 'status: fait' } },
  { tool: 'edit', input: { path: 'vault/overview.md', old: '# Overview', new: '# Mine' } },
  { tool: 'append', input: { path: 'vault/changelog.md', content: '# 2025-07-14', position: 'top' } },
  { tool: 'append', input: { path: 'vault/profile.md', content: 'Owned.', position: 'bottom' } },
  { tool: 'move', input: { from: 'vault/bucket/note.md', to: 'vault/bucket/moved.md' } },
  { tool: 'move', input: { from: 'vault/projects/x/', to: 'vault/projects/y/' } },
  { tool: 'delete', input: { path: 'vault/bucket/note.md' } },
  { tool: 'delete', input: { path: 'vault/projects/x/' } },
];

describe('the search agent', () => {
  it('changes nothing in twenty write attempts, which are all refused', async () => {
    const { folder, model, keepsake } = await agentVault(files);
    const before = hashOf(folder);
    const concat = { tool: 'concat', input: { files: [{ path: 'bucket/note.md' }] } };
    let attempts = 0;
    for (let run = 0; run < 2; run += 1) {
      // First the read that makes an edit valid, then ten calls.
      model.script({
        calls: [{ tool: 'read', input: { paths: ['tasks.md', 'overview.md', 'bucket/note.md'] } }],
      });
      model.script({ text: 'I insist.', calls: writing });
      model.script({ text: 'The owl hoots.\nSee its note.', calls: [concat] });
      const { document, blocks } = await keepsake.agents.ask(
        'What does the owl do?',
        new AbortController().signal,
      );
      expect(document).toContain('The owl hoots.');
      expect(blocks.length).toBe(1);
      const refused = model.requests.at(-1)?.toolResults.filter(({ tool }) => tool !== 'read') ?? [];
      for (const { tool, text } of refused)
        expect(text).toBe(`error: unknown tool ${tool}; available tools: tree, read, search, concat`);
      attempts += refused.length;
    }
    expect(attempts).toBe(20);
    expect(hashOf(folder)).toBe(before);
    expect(keepsake.changes.list({ limit: 10 })).toEqual([]);
  });

  it('is offered only read tools', async () => {
    const { model, keepsake } = await agentVault(files);
    model.script(looking, { text: 'Nothing.\nI looked.' });
    await keepsake.agents.ask('Anything?', new AbortController().signal);
    expect(model.requests[0]?.toolNames).toEqual(['tree', 'read', 'search', 'concat']);
  });

  it('is tested with calls that do change the vault when the update agent makes them', async () => {
    const { folder, model, file } = await agentVault(files);
    const before = hashOf(folder);
    model.script({ calls: writing.slice(0, 1) });
    model.respond(() => ({ text: 'Filed.' }));
    await file({ text: 'A note.' });
    expect(hashOf(folder)).not.toBe(before);
  });
});

describe('a run that can write', () => {
  it('is rejected by the compiler where only reading is allowed', () => {
    type Parts = Parameters<typeof answerQuestion>[1];
    expectTypeOf<ReadRun>().toExtend<Parts['run']>();
    expectTypeOf<WriteRun>().not.toExtend<Parts['run']>();
    expectTypeOf<WriteRun>().not.toExtend<Parameters<typeof bindReadTools>[1]>();
    expectTypeOf<ReadTool[]>().toExtend<Parameters<typeof bindReadTools>[0]>();
    expectTypeOf<Tool[]>().not.toExtend<Parameters<typeof bindReadTools>[0]>();
    expectTypeOf<Extract<Tool, { effect: 'write' }>>().not.toExtend<ReadTool>();
    const neverCalled = (run: WriteRun, parts: Parts, tools: Tool[], reading: ReadTool[]): void => {
      // @ts-expect-error a run with a transaction
      void answerQuestion('', { ...parts, run });
      // @ts-expect-error a run with a transaction
      bindReadTools(reading, run);
      // @ts-expect-error tools of which some write
      bindReadTools(tools, parts.run);
    };
    expect(neverCalled).toBeTypeOf('function');
  });
});
