import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Update } from '../../packages/vault/src/app/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { ScriptedModel, Turn } from '../scripted-model/server.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { anInput } from './agent-vault.ts';
import type { AgentVaultOptions } from './agent-vault.ts';

const key = 'sk-canary-4f9d1c7be2a05';
const header = `authorization: Bearer ${key}, x-api-key: ${key}`;
const soon = { 'retry-after-ms': '1' };

/** An error body as servers send it; `rest` has further fields that some of them add. */
function errorBody(message: string, rest: object = {}): string {
  return JSON.stringify({ type: 'error', error: { type: 'api_error', message, ...rest }, ...rest });
}

const failures: Record<string, Turn> = {
  'a 401 that repeats the key and the whole header': {
    fault: 'status',
    status: 401,
    body: errorBody(`Incorrect API key provided: ${key}; you sent ${header}`),
  },
  'a 401 that repeats the header beside its message': {
    fault: 'status',
    status: 401,
    body: errorBody('Incorrect API key provided', { received: header }),
  },
  'a 401 that repeats the key in a header of its own': {
    fault: 'status',
    status: 401,
    headers: { 'x-received': `Bearer ${key}` },
    body: errorBody('Incorrect API key provided'),
  },
  'a 403 that is a page with the key in it': {
    fault: 'status',
    status: 403,
    headers: { 'content-type': 'text/html' },
    body: `<h1>Forbidden</h1><pre>${header}</pre>`,
  },
  'a 500 that repeats the header': { fault: 'status', status: 500, headers: soon, body: errorBody(header) },
  'a 429 that repeats the header': { fault: 'status', status: 429, headers: soon, body: errorBody(header) },
  'a stream that is an error with the key in it': {
    fault: 'status',
    status: 200,
    headers: { 'content-type': 'text/event-stream', ...soon },
    body: `event: error\ndata: ${errorBody(`Incorrect API key provided: ${key}`)}\n\n`,
  },
  'a stream of something else with the key in it': {
    fault: 'status',
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: `data: not JSON, but ${header}\n\n`,
  },
  garbage: { fault: 'garbage' },
  'a connection that is cut': { fault: 'cut', after: 400 },
};

type Watched = {
  model: ScriptedModel;
  /** Makes one attempt. */
  file: () => Promise<{ update: Update; errors: unknown[] }>;
  ask: () => Promise<unknown>;
  /** Everything that was reported or stored so far, by location. */
  traces: (told: unknown) => Promise<Record<string, string>>;
};

/** A vault whose model has a key that must not appear anywhere. */
async function watched(protocol: AgentVaultOptions['protocol']): Promise<Watched> {
  const root = temporaryFolder();
  const [folder, state, config] = [
    join(root, 'vault'),
    join(root, 'state'),
    join(root, 'config', 'keepsake'),
  ];
  mkdirSync(config, { recursive: true });
  layOut(config, { 'config.yaml': 'limits:\n  steps: 10\n' });
  initVault(folder, { language: 'en', home: root, clock: Date.now });
  layOut(folder, { 'bucket/note.md': '# Owl\nThe owl hoots.\n' });
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const printed: string[] = [];
  const note = (...parts: unknown[]): true => {
    printed.push(inspect(parts, { depth: 10 }));
    return true;
  };
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockImplementation(note);
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, name).mockImplementation(note);
  onTestFinished(() => void vi.restoreAllMocks());
  const environment = readEnvironment({
    PATH: process.env['PATH'],
    XDG_CONFIG_HOME: join(root, 'config'),
    KEEPSAKE_MODEL: protocol === 'anthropic' ? 'anthropic/test' : 'openai-compatible/test',
    KEEPSAKE_MODEL_BASE_URL: model.baseUrl,
    KEEPSAKE_MODEL_API_KEY: key,
  });
  const keepsake = await openKeepsake({ vault: folder, state, environment });
  onTestFinished(async () => void (await keepsake.close()));
  const events: unknown[] = [];
  keepsake.events.subscribe((event) => void events.push(event));
  const { updates } = keepsake.agents;
  return {
    model,
    async file() {
      const errors: unknown[] = [];
      const { id } = await updates.accept(anInput({ text: 'The owl sleeps.' }));
      const runner = updates.start((error) => void errors.push(error));
      for (;;) {
        const update = updates.find(id);
        if (update !== undefined && (update.reason !== null || update.state === 'done')) {
          await runner.stop();
          return { update, errors };
        }
        await sleep(10);
      }
    },
    ask: () =>
      keepsake.agents
        .ask('What does the owl do?', new AbortController().signal)
        .catch((error: unknown) => error),
    async traces(told) {
      await keepsake.close();
      const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
        .map((path) => join(root, path))
        .filter((path) => statSync(path).isFile());
      return {
        ...Object.fromEntries(files.map((path) => [path, readFileSync(path, 'latin1')])),
        events: JSON.stringify(events),
        printed: printed.join('\n'),
        told: inspect(told, { depth: 10, maxStringLength: null, showHidden: true }),
        message: told instanceof Error ? `${told.message} ${told.stack}` : JSON.stringify(told),
      };
    },
  };
}

function placesWithKey(traces: Record<string, string>): string[] {
  return Object.keys(traces).filter((place) => traces[place]?.includes(key));
}

// A model removes its key from the errors it throws, for both protocols; an agent stores and reports those errors. So
// each failure is tried once per protocol and once per agent.
describe('the API key of the model', () => {
  it('does not leak in a successful update', async () => {
    const { model, file, traces } = await watched('openai');
    model.script(
      { calls: [{ tool: 'search', input: { queries: ['owl'], mode: 'fast' } }] },
      { calls: [{ tool: 'write', input: { path: 'bucket/owl.md', content: 'It sleeps.\n' } }] },
    );
    model.respond(() => ({ text: 'Filed.' }));
    const told = await file();
    expect(told.update.result).toMatchObject({ kind: 'filed' });
    expect(JSON.stringify(model.requests[0]?.headers)).toContain(key);
    const all = await traces(told);
    expect(Object.keys(all).some((place) => place.endsWith('.sqlite'))).toBe(true);
    expect(placesWithKey(all)).toEqual([]);
  });

  it('does not leak in an answer', async () => {
    const { model, ask, traces } = await watched('anthropic');
    model.script({
      text: 'It hoots.\nSee below.',
      calls: [{ tool: 'concat', input: { files: [{ path: 'bucket/note.md' }] } }],
    });
    const told = await ask();
    expect(told).toMatchObject({ blocks: [{ path: 'vault/bucket/note.md' }] });
    expect(JSON.stringify(model.requests[0]?.headers)).toContain(key);
    expect(placesWithKey(await traces(told))).toEqual([]);
  });

  describe.each(Object.entries(failures))('after %s', (_name, turn) => {
    it('does not leak in an update over the openai protocol', async () => {
      const { model, file, traces } = await watched('openai');
      model.respond(() => turn);
      const told = await file();
      expect(told.update).toMatchObject({ result: null, reason: { text: expect.stringMatching(/\w/) } });
      expect(JSON.stringify(model.requests[0]?.headers)).toContain(key);
      expect(placesWithKey(await traces(told))).toEqual([]);
    });

    it('does not leak in a question over the anthropic protocol', async () => {
      const { model, ask, traces } = await watched('anthropic');
      model.respond(() => turn);
      const told = await ask();
      expect(told).toMatchObject({ name: 'ModelError', message: expect.stringContaining(model.baseUrl) });
      expect(JSON.stringify(model.requests[0]?.headers)).toContain(key);
      expect(placesWithKey(await traces(told))).toEqual([]);
    });
  });
});
