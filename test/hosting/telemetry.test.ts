import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  createServiceToken,
  migrateService,
  registerVault,
} from '../../packages/service/src/hosting/index.ts';
import { missing } from '../missing.ts';
import { processVariables, serviceProgram } from '../process-variables.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { startOtlpReceiver } from './otlp-receiver.ts';
import type { ReceivedSpan } from './otlp-receiver.ts';
import { openStores, rootKey, rootKeyBytes } from './test-service.ts';

/** A cluster of processes that export telemetry, and a model that searches once and answers. */
async function aCluster(names: readonly string[]) {
  const { databases, settings } = await openStores();
  const receiver = await startOtlpReceiver();
  const model = await startScriptedModel();
  onTestFinished(async () => {
    await Promise.all([receiver.close(), model.close(), databases.close()]);
  });
  const pool = await databases.createDatabase('service');
  await migrateService(pool);
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'root.key'), rootKeyBytes);
  const variables = {
    ...processVariables,
    HOME: folder,
    KEEPSAKE_DATABASE_URL: databases.urlOf('service'),
    KEEPSAKE_S3_ENDPOINT: settings.endpoint,
    KEEPSAKE_S3_BUCKET: settings.bucket,
    AWS_ACCESS_KEY_ID: settings.accessKeyId,
    AWS_SECRET_ACCESS_KEY: settings.secretAccessKey,
    KEEPSAKE_ROOT_KEY_FILE: join(folder, 'root.key'),
    KEEPSAKE_MODEL: 'openai-compatible/test',
    KEEPSAKE_MODEL_BASE_URL: model.baseUrl,
    KEEPSAKE_MODEL_API_KEY: 'test-key',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
  };
  const nodes = await Promise.all(
    names.map(async (name) => {
      const options = ['--name', name, '--port', '0', '--workers', '1', '--folder', join(folder, name)];
      const child = spawn(process.execPath, [serviceProgram, 'node', ...options], { env: variables });
      const logged = text(child.stderr);
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
      const stop = async (): Promise<string> => {
        if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
        return logged;
      };
      onTestFinished(async () => void (await stop()));
      return { name, address: line.split(' at ')[1] ?? '', stop };
    }),
  );
  return { pool, receiver, model, nodes };
}

it.skipIf(missing('PostgreSQL'))(
  'a request produces one trace across both nodes and a worker down to the commit log, without any vault content',
  async () => {
    const { pool, receiver, model, nodes } = await aCluster(['a', 'b']);
    const vault = await registerVault(pool, rootKey);
    const token = await createServiceToken({ pool, rootKey }, { vault, name: 'test', scope: 'write' });
    const authorization = `Bearer ${token}`;
    const call = async (address: string | undefined, tool: string, input: object, trace: string) => {
      const headers = { authorization, 'content-type': 'application/json', traceparent: parentOf(trace) };
      const response = await fetch(`${address}/v/${vault}/api/vaults/default/tools/${tool}`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ input }),
      });
      expect([tool, response.status, await response.text()]).toMatchObject([tool, 200, expect.any(String)]);
    };
    const ask = async (address: string | undefined, trace: string): Promise<void> => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      const url = new URL(`${address}/v/${vault}/mcp`);
      await client.connect(
        new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }),
      );
      const question = { question: 'What does the marmalade need?' };
      await client.callTool({
        name: 'memory_search',
        arguments: question,
        _meta: { traceparent: parentOf(trace) },
      });
      await client.close();
    };
    model.respond(({ toolResults }) =>
      toolResults.length === 0
        ? { calls: [{ tool: 'search', input: { queries: ['quince'], mode: 'fast' } }] }
        : { text: 'Nothing is known of it.' },
    );
    const owner = async (): Promise<{ owner: string; epoch: string } | undefined> =>
      (await pool.query<{ owner: string; epoch: string }>('select owner, epoch from vaults')).rows[0];
    const content = 'The quince jam needs a lemon.\n';
    const traces = { opened: newTrace(), passed: newTrace(), found: newTrace(), asked: newTrace() };
    await vi.waitFor(
      () => call(nodes[0]?.address, 'write', { path: 'bucket/first-place.md', content }, traces.opened),
      patient,
    );
    // On a busy machine, another node may claim the vault meanwhile; then the test tries again.
    const [here, there] = await vi.waitFor(async () => {
      const before = await owner();
      const other = nodes.find(({ name }) => name !== before?.owner);
      for (const name of ['passed', 'found', 'asked'] as const) traces[name] = newTrace();
      const path = `bucket/${traces.passed}-place.md`;
      await call(other?.address, 'write', { path, content }, traces.passed);
      await call(other?.address, 'search', { queries: ['marmalade or quince'] }, traces.found);
      await ask(other?.address, traces.asked);
      expect(await owner()).toEqual(before);
      return [other?.name ?? '', before?.owner ?? ''];
    }, patient);

    const worker = `${there}/0`;
    const logs = await Promise.all(nodes.map(({ stop }) => stop()));
    // Spans of a proxied request are children of the proxying node's span.
    expect(pathsIn(receiver.spans, traces.passed)).toEqual(
      expect.arrayContaining([
        `${here} gateway > ${there} gateway > ${worker} request > ${worker} tool write`,
        `${here} gateway > ${there} gateway > ${worker} request > ${worker} commit > ${worker} append > ${worker} sql`,
      ]),
    );
    expect(pathsIn(receiver.spans, traces.opened)).toContainEqual(
      expect.stringMatching(/(\w) gateway > \1 open > \1\/0 open > \1\/0 snapshot > \1\/0 sql$/),
    );
    expect(pathsIn(receiver.spans, traces.found)).toContainEqual(
      expect.stringMatching(/request > \S+ tool search > \S+ search$/),
    );
    // A call belongs to the trace of its client, and links to the HTTP request that carried it.
    const asked = pathsIn(receiver.spans, traces.asked);
    expect(asked).toContain(`${worker} mcp memory_search > ${worker} model`);
    expect(asked).toContain(`${worker} mcp memory_search > ${worker} tool search > ${worker} search`);
    const mcp = receiver.spans.find(({ trace, name }) => trace === traces.asked && name.startsWith('mcp'));
    expect(receiver.spans.find(({ id }) => id === mcp?.links[0])?.name).toBe('request');

    const passed = receiver.spans.find(
      ({ trace, from, name }) => trace === traces.passed && from === here && name === 'gateway',
    );
    expect(passed?.attributes).toEqual({
      'keepsake.vault': vault,
      'http.request.method': 'POST',
      'http.response.status_code': 200,
    });
    expect(logs.join('')).toContain(`"trace_id":"${traces.passed}"`);
    expect([...receiver.metrics].toSorted()).toEqual([
      'keepsake.model.tokens',
      'keepsake.node.vaults',
      'keepsake.work.duration',
    ]);
    const sent = receiver.bodies.join('\n');
    const words = ['quince', 'lemon', 'marmalade', 'place.md', 'bucket/', 'jam', token];
    expect(words.filter((word) => sent.includes(word))).toEqual([]);
    // The trace id is not sent to external services.
    expect(model.requests.length).toBeGreaterThan(0);
    for (const { headers } of model.requests) expect(headers).not.toHaveProperty('traceparent');
  },
);

const patient = { timeout: 100_000, interval: 200 };

function newTrace(): string {
  return randomBytes(16).toString('hex');
}

function parentOf(trace: string): string {
  return `00-${trace}-00000000000000aa-01`;
}

/** Each span of a trace with its ancestors, by the names of process and work. */
function pathsIn(spans: readonly ReceivedSpan[], trace: string): string[] {
  const known = new Map(spans.filter((span) => span.trace === trace).map((span) => [span.id, span]));
  const pathOf = ({ parent, from, name }: ReceivedSpan): string => {
    const above = known.get(parent ?? '');
    return `${above === undefined ? '' : `${pathOf(above)} > `}${from} ${name}`;
  };
  return [...known.values()].map(pathOf);
}
