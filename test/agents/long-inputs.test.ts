import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Call, SeenRequest, Turn } from '../scripted-model/server.ts';
import { agentVault } from './agent-vault.ts';
import type { AgentVault } from './agent-vault.ts';

const clock = (): number => new Date(2025, 6, 14, 18, 30).getTime();
/** Small enough that a few hundred lines make several parts. */
const configuration = 'context: 6000\n';
const state = 'vault/projects/plant/state.md';
const files = { 'projects/plant/state.md': '## Valves\n' };
const line = (number: number): string =>
  number % 100 === 50
    ? `Operator: valve ${number} is set to ${number * 3} bar.`
    : `Planner: turn ${number}, as before.`;
const talk = `Recorded on 2025-07-01.\n\n${Array.from({ length: 700 }, (_, number) => line(number)).join('\n')}`;

const append = (path: string, content: string, position = 'bottom'): Call => ({
  tool: 'append',
  input: { path, content, position },
});
const entry = append('vault/changelog.md', '# 2025-07-14\n\n## The talk about valves', 'top');
const partOf = ({ userTexts }: SeenRequest): string => userTexts.join('\n');
const isLast = (request: SeenRequest): boolean => partOf(request).includes('This is the last part');
const numberOf = (request: SeenRequest): string => /This is part (\d+)/.exec(partOf(request))?.[1] ?? 'last';

/** Files the valves of a part; the changelog entry comes with the last part. */
function filing(request: SeenRequest): Turn {
  if (request.toolResults.length > 0) return { text: 'Summary: done.' };
  const valves = partOf(request).match(/valve \d+ is set to \d+ bar/g) ?? [];
  const notes = valves.length === 0 ? [] : [append(state, valves.join('\n'))];
  const calls = [...notes, ...(isLast(request) ? [entry] : [])];
  return calls.length === 0
    ? { calls: [{ tool: 'search', input: { queries: ['valve'], mode: 'fast' } }] }
    : { calls, text: `Summary: ${valves.length} valves of part ${numberOf(request)}.` };
}

async function aVault(): Promise<AgentVault> {
  return agentVault(files, { clock, configuration });
}

const valvesIn = (vault: AgentVault): string[] =>
  vault.text('projects/plant/state.md')?.match(/valve \d+ is set to \d+ bar/g) ?? [];
const allValves = Array.from({ length: 7 }, (_, index) => {
  const number = index * 100 + 50;
  return `valve ${number} is set to ${number * 3} bar`;
});

describe('a long input', () => {
  it('is filed in parts as one change, and its original is kept', async () => {
    const vault = await aVault();
    vault.model.respond(filing);
    const { result, state: is } = await vault.file({ text: talk });
    expect(is).toBe('done');
    expect(valvesIn(vault)).toEqual(allValves);
    expect(vault.keepsake.changes.list({ limit: 10 })).toHaveLength(1);
    expect(vault.text('changelog.md')?.match(/^## /gm)).toHaveLength(1);
    expect(result).toMatchObject({ kind: 'filed', summary: expect.stringContaining('of part last') });
    const [kept = ''] = readdirSync(join(vault.folder, 'bucket'));
    expect(vault.text(`bucket/${kept}`)).toContain(talk);
  });

  it('is sent in parts that each repeat the date, the first lines and the earlier summaries', async () => {
    const vault = await aVault();
    vault.model.respond(filing);
    await vault.file({ text: talk });
    const parts = vault.model.requests.filter(({ toolResults }) => toolResults.length === 0).map(partOf);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) expect(part).toContain('Received: Monday 2025-07-14');
    for (const part of parts.slice(1)) {
      expect(part).toMatch(/The input starts as follows:\n\n[^]*Recorded on 2025-07-01\./);
      expect(part).toContain('Filed from earlier parts:\n- part 1: ');
    }
    const lines = parts.flatMap((part) => part.match(/turn \d+,/g) ?? []);
    expect(new Set(lines).size).toBe(693);
  });

  it('is continued at the failed part on retry', async () => {
    const vault = await aVault();
    vault.model.respond((request) =>
      numberOf(request) === '3' ? { fault: 'status', status: 401, body: '{}' } : filing(request),
    );
    const update = await vault.file({ text: talk });
    expect(update).toMatchObject({ state: 'parked', reason: { text: expect.stringContaining('401') } });
    expect(valvesIn(vault)).toEqual([]);
    const before = vault.model.requests.length;
    vault.model.respond(filing);
    const { updates } = vault.keepsake.agents;
    expect(await updates.retry(update.id)).toBe(true);
    await updates.work(update.id, new AbortController().signal, () => undefined);
    expect(updates.find(update.id)?.state).toBe('done');
    const again = vault.model.requests.slice(before).map(numberOf);
    expect(again[0]).toBe('3');
    expect(again).not.toContain('1');
    expect(valvesIn(vault)).toEqual(allValves);
  });

  it('goes to the inbox with a question if a part cannot be filed, and the other parts stay filed', async () => {
    const vault = await aVault();
    vault.model.respond((request) => (isLast(request) ? { text: 'I have filed it.' } : filing(request)));
    const { result } = await vault.file({ text: talk });
    expect(result).toMatchObject({ kind: 'filed', asked: expect.any(String) });
    const [item = ''] = readdirSync(join(vault.folder, 'inbox'));
    expect(valvesIn(vault).length).toBeGreaterThan(2);
    expect(vault.text(`inbox/${item}/original.md`)).toContain(talk);
    expect(vault.text(`inbox/${item}/review.md`)).toMatch(
      /# Not filed yet[^]*- vault\/projects\/plant\/state\.md/,
    );
  });

  it('with a conflict in its last part shows the model the undone lines of all parts', async () => {
    const vault = await aVault();
    const file = join(vault.folder, 'projects/plant/state.md');
    let shown = '';
    vault.model.respond((request) => {
      const conflict = request.userTexts.find((text) => text.includes('Someone else changed'));
      if (conflict === undefined) {
        if (!isLast(request) || request.toolResults.length > 0) return filing(request);
        writeFileSync(file, readFileSync(file, 'utf8').replace('## Valves', '## Our valves'));
        const edit = { tool: 'edit', input: { path: state, old: '## Valves', new: '## All valves' } };
        const filed = filing(request);
        const calls = 'calls' in filed ? (filed.calls ?? []) : [];
        return { ...filed, calls: [{ tool: 'read', input: { paths: state } }, edit, ...calls] };
      }
      shown = conflict;
      if (request.toolResults.at(-1)?.text.startsWith('appended to vault/projects') === true)
        return { text: 'Summary: done.' };
      const lost = conflict.match(/valve \d+ is set to \d+ bar/g) ?? [];
      return { calls: [{ tool: 'read', input: { paths: state } }, append(state, lost.join('\n'))] };
    });
    await vault.file({ text: talk });
    expect(shown).toContain('valve 50 is set to 150 bar');
    expect(valvesIn(vault)).toEqual(allValves);
    expect(vault.text('projects/plant/state.md')).toContain('## Our valves');
  });
});

it('a model context smaller than assumed also reduces the vault content in the prompt', async () => {
  const overview = `# Overview\n\n${Array.from({ length: 3_000 }, (_, index) => `- project ${index}`).join('\n')}\n`;
  const vault = await agentVault({ 'overview.md': overview }, { clock });
  vault.model.respond((request) => {
    const tokens = Math.ceil(request.rawBody.length / 4);
    const message = `This model's maximum context length is 9000 tokens. However, you requested ${tokens} tokens.`;
    if (tokens > 9_000) return { fault: 'status', status: 400, body: JSON.stringify({ error: { message } }) };
    return { calls: [append('vault/tasks.md', '# Fix the gate'), entry], text: 'Summary: noted.' };
  });
  expect((await vault.file({ text: 'Fix the gate' })).result).toMatchObject({ kind: 'filed', asked: null });
  expect(vault.model.requests).toHaveLength(2);
});
