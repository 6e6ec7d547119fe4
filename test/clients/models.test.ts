import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  readEnvironment,
  resolveAgentModel,
  testConfiguredModel,
} from '../../packages/vault/src/app/index.ts';
import type { ChatMessage } from '../../packages/vault/src/models/index.ts';
import { agentVault, anInput } from '../agents/agent-vault.ts';
import type { AgentVault } from '../agents/agent-vault.ts';
import { printSkip } from '../missing.ts';
import type { Call, SeenRequest, Turn } from '../scripted-model/server.ts';
import { findInstalled } from './installed.ts';
import { plantedMark, toolUser } from './installed-model.ts';
import type { ToolName } from './installed-model.ts';

const installed = findInstalled();
if ('missing' in installed) printSkip(installed.missing);

const now = (): number => new Date(2025, 6, 14, 18, 30).getTime();
const tools: ToolName[] = ['claude-code', 'codex'];

/** A vault whose agents run through a tool. */
function vaultWith(tool: ToolName, files: Record<string, string> = {}, options = {}): Promise<AgentVault> {
  if ('missing' in installed) throw new Error(installed.missing);
  return agentVault(files, { clock: now, variables: toolUser(installed, tool, options) });
}

/** Claude Code adds the name of the server to the names of its tools. */
function turn(
  tool: ToolName,
  { text, calls = [] }: { text?: string; calls?: { tool: string; input: unknown }[] },
): Turn {
  const named = calls.map((call): Call => ({
    ...call,
    tool: tool === 'claude-code' ? `mcp__vault__${call.tool}` : call.tool,
  }));
  return { ...(text !== undefined && { text }), calls: named };
}

const search = { tool: 'search', input: { queries: ['dentist'], mode: 'fast' } };
const read = (path: string) => ({ tool: 'read', input: { paths: path } });
const append = (path: string, content: string) => ({
  tool: 'append',
  input: { path, content, position: 'top' },
});
const entry = append('vault/changelog.md', '# 2025-07-14\n\n## Dentist\nThe dentist is on 21 July at 9:00.');
const note = append('vault/tasks.md', '# Dentist\nstatus: open | due: 2025-07-21 09:00');
const input = { text: 'The dentist is on 21 July at 9:00.' };
const filing = (tool: ToolName): Turn[] => [
  turn(tool, { calls: [search, read('vault/tasks.md')] }),
  turn(tool, { text: 'Summary: the dentist is on 21 July at 9:00.', calls: [note, entry] }),
];

/** The processes that were started from a folder of the test. */
function processesOf({ variables }: AgentVault): string[] {
  const { XDG_STATE_HOME: state = '-' } = variables;
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`XDG_STATE_HOME=${state}`)
      );
    } catch {
      return false;
    }
  });
}

async function expectNoProcess(vault: AgentVault): Promise<void> {
  for (let wait = 0; wait < 100 && processesOf(vault).length > 0; wait += 1) await sleep(100);
  expect(processesOf(vault)).toEqual([]);
  const leftovers = readdirSync(join(vault.variables['XDG_STATE_HOME'] ?? '', 'keepsake', 'agent'));
  expect(leftovers.filter((name) => name.startsWith('run-'))).toEqual([]);
}

/** The size of what the model reads: instructions, messages and tools. */
function tokensOf({ body }: SeenRequest): number {
  const { system, messages, tools: offered, instructions, input: items } = body;
  return Math.ceil(JSON.stringify([system, messages, offered, instructions, items]).length / 4);
}

describe.skipIf('missing' in installed)(
  'agents that run through an installed tool',
  { timeout: 120_000 },
  () => {
    it.each(tools)('file an update with two model calls and end the process (%s)', async (tool) => {
      const vault = await vaultWith(tool, { 'tasks.md': '# Open\n' });
      vault.model.script(...filing(tool));
      const began = performance.now();
      const update = await vault.file(input);
      const seconds = (performance.now() - began) / 1000;
      expect(update).toMatchObject({ state: 'done', attempts: 1, reason: null, result: { kind: 'filed' } });
      expect(vault.text('tasks.md')).toContain('due: 2025-07-21 09:00');
      expect(vault.text('changelog.md')).toContain('## Dentist');
      const { requests } = vault.model;
      expect(requests).toHaveLength(2);
      expect(requests[1]?.toolResults.map((result) => result.tool.replace('mcp__vault__', ''))).toEqual([
        'search',
        'read',
      ]);
      expect(requests[1]?.toolResults[1]?.text).toContain('# Open');
      expect(update.spent).toMatchObject({ steps: 2 });
      const plain = await agentVault({ 'tasks.md': '# Open\n' }, { clock: now, protocol: 'anthropic' });
      plain.model.script(
        { calls: [search, read('vault/tasks.md')] },
        { text: 'Summary: 9:00.', calls: [note, entry] },
      );
      const plainStart = performance.now();
      expect(await plain.file(input)).toMatchObject({ state: 'done' });
      const [more, less] = [vault, plain].map(({ model }) => model.requests.map(tokensOf));
      const plainSeconds = (performance.now() - plainStart) / 1000;
      console.log(
        `${tool}: ${seconds.toFixed(1)} s and ${more?.join(' + ')} tokens; with an API key ${plainSeconds.toFixed(1)} s and ${less?.join(' + ')} tokens`,
      );
      await expectNoProcess(vault);
    });

    it.each(tools)('answer a question with source lines (%s)', async (tool) => {
      const vault = await vaultWith(tool, { 'health.md': '# Health\n\nThe dentist is Dr. Moreau.\n' });
      vault.model.script(
        turn(tool, { calls: [search] }),
        turn(tool, { calls: [read('vault/health.md')] }),
        turn(tool, {
          text: 'The dentist is Dr. Moreau.',
          calls: [{ tool: 'concat', input: { files: [{ path: 'vault/health.md', lines: '3' }] } }],
        }),
      );
      const answer = await vault.keepsake.agents.ask('Who is my dentist?', new AbortController().signal);
      expect(answer.blocks[0]).toMatchObject({ path: 'vault/health.md' });
      expect(vault.model.requests).toHaveLength(3);
      await expectNoProcess(vault);
    });

    it.each(tools)(
      'use the sign-in of the tool, and nothing else that the user has set up (%s)',
      async (tool) => {
        const vault = await vaultWith(tool, { 'tasks.md': '# Open\n' });
        vault.model.script(...filing(tool));
        expect(await vault.file(input)).toMatchObject({ state: 'done' });
        const { headers, rawBody, toolNames } = vault.model.requests[0] as SeenRequest;
        expect(headers.authorization).toBe(tool === 'codex' ? 'Bearer sk-login' : 'Bearer sk-ant-oat01-test');
        expect(JSON.stringify(vault.model.requests.map((each) => each.headers))).not.toContain(
          'sk-must-not-be-used',
        );
        expect(rawBody).not.toContain(plantedMark);
        expect(existsSync(join(vault.variables['HOME'] ?? '', 'planted-ran'))).toBe(false);
        const others = toolNames.filter(
          (name) =>
            !/^(mcp__vault__)?(tree|read|search|append|edit|write|move|delete|backlinks|verify\w*)$/.test(
              name,
            ),
        );
        console.log(`${tool} also has the tools: ${others.join(', ') || 'none'}`);
        expect(others.filter((name) => !['request_user_input', 'apply_patch'].includes(name))).toEqual([]);
      },
    );

    it.each(tools)('change nothing and keep the update when the process is killed (%s)', async (tool) => {
      const vault = await vaultWith(tool, { 'tasks.md': '# Open\n' });
      const before = vault.text('changelog.md');
      const [first] = filing(tool);
      vault.model.script(first as Turn, { fault: 'hang' });
      const { id } = await vault.keepsake.accept(anInput(input));
      const { updates } = vault.keepsake.agents;
      const runner = updates.start(() => undefined);
      while (vault.model.requests.length < 2) await sleep(20);
      for (const pid of processesOf(vault)) process.kill(Number(pid), 'SIGKILL');
      while (updates.find(id)?.reason == null) await sleep(20);
      await runner.stop();
      expect(updates.find(id)).toMatchObject({ state: 'waiting', reason: { code: 'broke-off' } });
      expect([vault.text('tasks.md'), vault.text('changelog.md')]).toEqual(['# Open\n', before]);
      await expectNoProcess(vault);
      vault.model.script(...filing(tool));
      await updates.retry(id);
      await updates.work(id, new AbortController().signal, () => undefined);
      expect(updates.find(id)).toMatchObject({ state: 'done' });
    });

    it.each(tools)('say what to do if the tool is not signed in (%s)', async (tool) => {
      const vault = await vaultWith(tool, {}, { isSignedIn: false });
      const command = tool === 'codex' ? 'run: codex login' : 'run: claude auth login';
      const name = tool === 'codex' ? 'Codex' : 'Claude Code';
      await expect(vault.keepsake.agents.ask('What?', new AbortController().signal)).rejects.toMatchObject({
        code: 'refused',
        message: expect.stringContaining(`${name} is not signed in`),
        hint: command,
      });
      expect(vault.model.requests).toEqual([]);
      await expectNoProcess(vault);
    });

    it.each(tools)('get a result of 228 kB whole, and what the user says after it (%s)', async (tool) => {
      const vault = await vaultWith(tool);
      const chosen = resolveAgentModel(readEnvironment(vault.variables));
      if ('missing' in chosen) throw chosen.missing;
      const { model } = chosen;
      const lines = Array.from(
        { length: 2_280 },
        (_, index) => `${String(index).padStart(5)} ${'x'.repeat(93)}`,
      );
      const text = lines.join('\n');
      const request = {
        instructions: 'Read.',
        tools: [{ name: 'read', description: 'Reads a note.', input: z.object({ paths: z.string() }) }],
        signal: new AbortController().signal,
      };
      const question: ChatMessage = { role: 'user', content: [{ text: 'Read it.', images: [] }] };
      const next: ChatMessage = { role: 'user', content: [{ text: 'What follows?', images: [] }] };
      vault.model.script(turn(tool, { calls: [read('a.md')] }), { text: 'Done.' });
      try {
        const first = await model.step({ ...request, messages: [question] });
        const [call] = first.calls;
        const content = { text, images: [], structured: () => null };
        const results = [{ id: call?.id ?? '', tool: 'read', kind: 'result' as const, ...content }];
        const { rawMessages } = first;
        const second = await model.step({
          ...request,
          messages: [question, { role: 'assistant', rawMessages }, { role: 'tool', results }, next],
        });
        expect(second).toMatchObject({ text: 'Done.', calls: [] });
      } finally {
        model.close?.();
      }
      expect(vault.model.requests[1]?.toolResults[0]?.text).toBe(`${text}\nWhat follows?`);
      expect(vault.model.requests).toHaveLength(2);
      await expectNoProcess(vault);
    });

    it.each(tools)('are tested with the same question as other models (%s)', async (tool) => {
      const vault = await vaultWith(tool);
      vault.model.script(
        turn(tool, { calls: [{ tool: 'report', input: { left: 'yellow', right: 'blue' } }] }),
      );
      const { trial } = await testConfiguredModel(
        readEnvironment(vault.variables),
        new AbortController().signal,
      );
      expect(trial).toMatchObject({ callsTools: true, blindBecause: null });
      expect(vault.model.requests[0]?.images.inUserMessages).toBe(1);
      await expectNoProcess(vault);
    });
  },
);
