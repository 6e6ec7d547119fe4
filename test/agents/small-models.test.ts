import { describe, expect, it } from 'vitest';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { SeenRequest, Turn } from '../scripted-model/server.ts';
import { agentVault, anInput } from './agent-vault.ts';

const clock = (): number => new Date(2025, 6, 14, 18, 30).getTime();
const note = 'The landlady keeps the spare key under the blue pot.';
const content = `# 2025-07-14\n\n## The spare key\n${note}`;
const append = { name: 'append', arguments: { path: 'vault/changelog.md', content, position: 'top' } };
const search = { name: 'search', arguments: { queries: ['spare key', 'landlady'] } };
const summary = 'Summary: recorded where the spare key is.';
const { signal } = new AbortController();

const protocols = ['openai', 'anthropic'] as const;

/** The ways in which models write calls as text. */
const written: Record<string, (...calls: (typeof append | typeof search)[]) => string> = {
  'Hermes tags': (...calls) =>
    calls.map((call) => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`).join('\n'),
  fences: (...calls) => calls.map((call) => `\`\`\`json\n${JSON.stringify(call)}\n\`\`\``).join('\n'),
  'Mistral lists': (...calls) => `[TOOL_CALLS] ${JSON.stringify(calls)}`,
  'Llama tags': (...calls) =>
    calls.map((call) => `<function=${call.name}>${JSON.stringify(call.arguments)}</function>`).join('\n'),
  'tags with line breaks inside the text': (...calls) =>
    calls.map((call) => `<tool_call>${JSON.stringify(call).replaceAll('\\n', '\n')}</tool_call>`).join(''),
};

describe.each(protocols)('a small model over the %s protocol', (protocol) => {
  it('that writes its thoughts as text does not show them in summaries, answers or while it writes', async () => {
    const thoughts = '<think>\nThe person wants me to\nfile this.\n</think>\n\n';
    const vault = await agentVault({ 'notes.md': `${note}\n` }, { protocol, clock });
    vault.model.script({
      text: `${thoughts}${summary}`,
      calls: [{ tool: 'append', input: append.arguments }],
    });
    expect(await vault.file({ text: note })).toMatchObject({
      state: 'done',
      result: { kind: 'filed', summary: 'recorded where the spare key is.' },
    });
    const overview = 'Under the blue pot [1].\nThe landlady keeps it.';
    const files = [{ path: 'vault/notes.md', lines: '1' }];
    vault.model.script({ text: `${thoughts}${overview}`, calls: [{ tool: 'concat', input: { files } }] });
    const shown: string[] = [];
    const { document } = await vault.keepsake.agents.ask('Where is the key?', signal, {
      onText: (text) => void shown.push(text),
    });
    expect(document.startsWith(`${overview}\n\n---\n`)).toBe(true);
    expect(shown.filter((text) => !overview.startsWith(text))).toEqual([]);
    expect(shown.at(-1)).toBe(overview);
  });

  it('that only thinks is told that it filed nothing, and its thoughts are not sent back', async () => {
    const vault = await agentVault({}, { protocol, clock });
    vault.model.script(
      { text: '<think>I could file this' },
      { text: summary, calls: [{ tool: 'append', input: append.arguments }] },
    );
    expect(await vault.file({ text: note })).toMatchObject({ state: 'done', attempts: 1 });
    expect(vault.model.requests[1]?.userTexts.at(-1)).toContain('Nothing has been filed yet');
    expect(vault.model.requests[1]?.rawBody).not.toContain('I could file this');
  });

  it.each(Object.entries(written))(
    'that writes its calls as text is understood: %s',
    async (_name, write) => {
      const vault = await agentVault({}, { protocol, clock });
      vault.model.script(
        { text: `<think>Search first.</think>I search first.\n${write(search, search)}` },
        { text: `${write(append)}\n${summary}` },
      );
      expect(await vault.file({ text: note })).toMatchObject({
        state: 'done',
        attempts: 1,
        result: { kind: 'filed' },
      });
      expect(vault.text('changelog.md')).toContain(note);
      const [, second] = vault.model.requests;
      expect(second?.toolResults.map(({ tool }) => tool)).toEqual(['search', 'search']);
      expect(assistantMessages(second)).toEqual([
        { text: 'I search first.', calls: [search, search], areIdsUnique: true },
      ]);
    },
  );

  it('that passes inputs in a slightly wrong form gets results', async () => {
    const vault = await agentVault({ 'notes.md': `${note}\n` }, { protocol, clock });
    vault.model.script(
      {
        calls: [
          { tool: 'search', input: { query: 'spare key' } },
          { tool: 'read', input: { path: 'vault/notes.md' } },
        ],
      },
      { text: 'It is there.\nSee [1].', calls: [{ tool: 'concat', input: { files: ['vault/notes.md:1'] } }] },
    );
    const { blocks } = await vault.keepsake.agents.ask('Where is the key?', signal);
    expect(blocks).toMatchObject([{ path: 'vault/notes.md', start: 1, end: 1 }]);
    const results = vault.model.requests[1]?.toolResults ?? [];
    expect(results).toHaveLength(2);
    for (const { text } of results) expect(text).toContain(`1  | ${note}`);
  });

  it('gets schemas without fields that it does not need', async () => {
    const vault = await agentVault({}, { protocol, clock });
    vault.model.script({ text: summary, calls: [{ tool: 'append', input: append.arguments }] });
    await vault.file({ text: note });
    const sent = JSON.stringify(vault.model.requests[0]?.body['tools']);
    expect(sent).toContain('"queries"');
    expect(sent).not.toMatch(/\$schema|9007199254740991|"null"/);
  });

  it('that files nothing gets a shorter prompt and has to call a tool in the next attempt', async () => {
    const vault = await agentVault({}, { protocol, clock });
    vault.model.script(
      { text: 'I have filed it.' },
      { text: 'I have filed it.' },
      { calls: [{ tool: 'search', input: search.arguments }] },
      { text: summary, calls: [{ tool: 'append', input: append.arguments }] },
    );
    expect(await vault.file({ text: note })).toMatchObject({ state: 'done', attempts: 2 });
    const [first, second, third, fourth] = vault.model.requests;
    expect(third?.system).toContain('You are the update agent of Keepsake');
    expect(third?.system.length).toBeLessThan((first?.system.length ?? 0) / 2);
    expect([first, second, third, fourth].map(toolChoice)).toEqual(['auto', 'auto', 'required', 'auto']);
  });

  it('gets the shorter prompt at once if its context is small', async () => {
    const vault = await agentVault({}, { protocol, clock, configuration: 'context: 16000' });
    vault.model.script({ text: summary, calls: [{ tool: 'append', input: append.arguments }] });
    expect(await vault.file({ text: note })).toMatchObject({ state: 'done', attempts: 1 });
    expect(vault.model.requests[0]?.system.length).toBeLessThan(4_000);
    expect(toolChoice(vault.model.requests[0])).toBe('auto');
  });

  it('is asked without a required call if its server does not support that', async () => {
    const vault = await agentVault({}, { protocol, clock });
    vault.model.respond((request): Turn => {
      if (toolChoice(request) === 'required')
        return { fault: 'status', status: 400, body: '{"error":{"message":"tool_choice is not supported"}}' };
      if (request.system.length > 4_000) return { text: 'I have filed it.' };
      return { text: summary, calls: [{ tool: 'append', input: append.arguments }] };
    });
    expect(await vault.file({ text: note })).toMatchObject({ state: 'done', attempts: 2 });
  });
});

describe('a model that is offline', () => {
  const filing: Turn = { text: summary, calls: [{ tool: 'append', input: append.arguments }] };

  it.each([503, 500, 429])('makes an update wait beyond three failures: HTTP %s', async (status) => {
    const vault = await agentVault({}, { clock });
    const failure = { fault: 'status', status, headers: { 'retry-after-ms': '1' }, body: 'busy' } as const;
    const delays: number[] = [];
    vault.keepsake.events.subscribe((event) => {
      const next = vault.keepsake.agents.updates.next();
      if (event.type === 'update-failed' && next !== null) delays.push(next.claimableAt);
    });
    // The SDK asks three times in each attempt.
    vault.model.respond((_, index) => (index < 18 ? failure : filing));
    expect(await vault.file({ text: note })).toMatchObject({
      state: 'done',
      attempts: 1,
      result: { kind: 'filed' },
    });
    expect(delays).toHaveLength(6);
    const pauses = delays.map((at, index) => at - (delays[index - 1] ?? clock()));
    expect(pauses.map((pause) => Math.round(pause / 5_000))).toEqual([1, 2, 4, 8, 16, 32]);
    // The full prompt is used: the model has not failed.
    expect(vault.model.requests.at(-1)?.system.length).toBeGreaterThan(4_000);
  });

  it('makes an update wait with the reason, and files it by itself once it runs again', async () => {
    let skipped = 0;
    const vault = await agentVault({}, { clock: () => clock() + skipped });
    const { updates } = vault.keepsake.agents;
    const port = Number(new URL(vault.model.origin).port);
    await vault.model.close();
    const { id } = await vault.keepsake.accept(anInput({ text: note }));
    const runner = updates.start(() => undefined);
    try {
      await expect.poll(() => updates.find(id)?.reason?.text).toContain('ECONNREFUSED');
      expect(updates.find(id)).toMatchObject({
        state: 'waiting',
        attempts: 0,
        reason: { code: 'unreachable' },
        nextAttemptAt: clock() + 5_000,
      });
      const started = await startScriptedModel(port);
      vault.model.close = () => started.close();
      started.script(filing);
      skipped = 5_000;
      runner.wake();
      await expect.poll(() => updates.find(id)?.state, { timeout: 20_000 }).toBe('done');
    } finally {
      await runner.stop();
    }
    expect(vault.text('changelog.md')).toContain(note);
  });

  it('counts as offline if it is silent for longer than configured', async () => {
    const vault = await agentVault({}, { clock, configuration: 'modelTimeout: 0.5' });
    vault.model.script({ fault: 'hang' }, { fault: 'stall', after: 10 });
    vault.model.respond(() => filing);
    const reasons: string[] = [];
    vault.keepsake.events.subscribe((event) => {
      if (event.type === 'update-failed') reasons.push(event.reason.code);
    });
    expect(await vault.file({ text: note })).toMatchObject({ state: 'done', attempts: 1 });
    expect(reasons.slice(0, 2)).toEqual(['silent', 'silent']);
  });

  it('does not keep a command waiting, and is tried again by the next one', async () => {
    let skipped = 0;
    const vault = await agentVault({}, { clock: () => clock() + skipped });
    const { updates } = vault.keepsake.agents;
    await vault.model.close();
    vault.model.close = async () => undefined;
    const { id } = await vault.keepsake.accept(anInput({ text: note }));
    const tries: number[] = [];
    vault.keepsake.events.subscribe((event) => {
      if (event.type !== 'update-failed') return;
      tries.push(tries.length);
      if (tries.length < 3) skipped = (updates.find(id)?.nextAttemptAt ?? 0) - clock();
    });
    await updates.work(id, signal, () => undefined);
    expect(tries).toHaveLength(3);
    expect(updates.find(id)).toMatchObject({ state: 'waiting', attempts: 0 });
    await updates.work(undefined, signal, () => undefined);
    expect(tries).toHaveLength(4);
  });

  it('does not keep an update waiting if the key is wrong or the account is empty', async () => {
    const vault = await agentVault({}, { clock });
    vault.model.respond(() => ({ fault: 'status', status: 401, body: 'no' }));
    expect(await vault.file({ text: note })).toMatchObject({ state: 'parked', attempts: 1 });
    vault.model.respond(() => ({
      fault: 'status',
      status: 429,
      body: '{"error":{"code":"insufficient_quota"}}',
    }));
    expect(await vault.file({ text: note })).toMatchObject({ state: 'parked', attempts: 1 });
  });

  it('parks an update whose answers break off three times, which may crash the server itself', async () => {
    const vault = await agentVault({}, { clock });
    vault.model.respond(() => ({ fault: 'cut', after: 300 }));
    expect(await vault.file({ text: note })).toMatchObject({ state: 'parked', attempts: 3 });
  });
});

function toolChoice(request: SeenRequest | undefined): unknown {
  const choice = request?.body['tool_choice'] as string | { type: string } | undefined;
  const named = typeof choice === 'object' ? choice.type : choice;
  return named === 'any' ? 'required' : named;
}

type Block = { type: string; text?: string; id?: string; name?: string; input?: unknown };
type OpenAiCall = { id: string; function: { name: string; arguments: string } };
type Message = { role: string; content?: string | Block[]; tool_calls?: OpenAiCall[] };

/** The assistant messages of a request, in the same form for both protocols. */
function assistantMessages(request: SeenRequest | undefined): unknown[] {
  const messages = (request?.body['messages'] ?? []) as Message[];
  return messages
    .filter(({ role }) => role === 'assistant')
    .map(({ content: parts = '', tool_calls: made = [] }) => {
      const blocks: Block[] = typeof parts === 'string' ? [{ type: 'text', text: parts }] : parts;
      const calls = [
        ...made.map((call) => ({
          id: call.id,
          name: call.function.name,
          arguments: JSON.parse(call.function.arguments) as unknown,
        })),
        ...blocks
          .filter(({ type }) => type === 'tool_use')
          .map(({ id, name, input }) => ({ id, name, arguments: input })),
      ];
      return {
        text: blocks.flatMap(({ text }) => text ?? []).join(''),
        calls: calls.map(({ name, arguments: input }) => ({ name, arguments: input })),
        areIdsUnique: new Set(calls.map(({ id }) => id)).size === calls.length,
      };
    });
}
