import Database from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import { agentVault, anEntry } from '../agents/agent-vault.ts';
import { call, connectHttp } from './clients.ts';
import { servedWithAgents } from './mcp-vault.ts';

/** Counts the bytes read from any database from now on. */
function countReads(): { bytes: number; queries: number } {
  const database = new Database(':memory:');
  const statements = Object.getPrototypeOf(database.prepare('select 1')) as Database.Statement;
  database.close();
  const counted = { bytes: 0, queries: 0 };
  const count = (value: unknown): void => {
    if (typeof value === 'string' || value instanceof Uint8Array) counted.bytes += value.length;
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(count);
  };
  for (const method of ['get', 'all'] as const) {
    const original = statements[method];
    vi.spyOn(statements, method).mockImplementation(function (this: unknown, ...values: unknown[]) {
      const result = Reflect.apply(original, this, values) as never;
      counted.queries += 1;
      count(result);
      return result;
    });
  }
  onTestFinished(() => void vi.restoreAllMocks());
  return counted;
}

it('the server does not read the files of an update while a client waits for it', async () => {
  const vault = await agentVault();
  const { http } = servedWithAgents(vault);
  const runner = vault.keepsake.agents.updates.start((error) => console.error(error));
  onTestFinished(() => runner.stop());
  const client = await connectHttp(http, 'modern', 'write');
  await client.listTools();
  let answer = (): void => undefined;
  const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
  vault.model.respond(async (_, index) => {
    await mayAnswer;
    return index === 0 ? anEntry('A picture') : { text: 'Filed it.' };
  });
  const picture = Buffer.alloc(200_000);
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ).copy(picture);
  const filed = call(client, 'memory_update', {
    text: 'A picture',
    files: [{ name: 'shot.png', data: picture.toString('base64') }],
    wait_seconds: 60,
  });
  await vi.waitUntil(() => vault.model.requests.length > 0, { timeout: 60_000 });
  const read = countReads();
  // Waits until the queue has polled for changes by other processes.
  await vi.waitUntil(() => read.queries >= 3, { timeout: 60_000 });
  expect(read.bytes).toBeLessThan(10_000);
  answer();
  expect((await filed).structuredContent).toMatchObject({ state: 'done', result: { kind: 'filed' } });
  const durable = vault.keepsake.state.databases().durable;
  await vi.waitUntil(() => durable.prepare('select count(*) from update_parts').pluck().get() === 0);
  expect(vault.keepsake.agents.updates.list({ limit: 1 })[0]?.input.files).toEqual([
    { name: 'shot.png', bytes: picture.length },
  ]);
});
