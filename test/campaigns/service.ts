import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { findOwnerProcess } from '../../packages/vault/src/app/index.ts';
import { createToken, layOutNotes, makePlace, program, serve } from './program.ts';

const notes = 20;
const maxTakeoverMs = 5_000;

/** A client of the vault. `reach` connects, reconnects after a failure, and gives up when all work is done. */
type Worker = {
  name: string;
  reach: (isOver: () => boolean) => Promise<Client | null>;
  pid: () => number | null;
};

/**
 * Five clients over stdio and two over HTTP work on one vault, while its owner process is killed twice. Every acknowledged change exists
 * exactly once, there is one owner at a time, and the next one takes over in time.
 */
export async function serviceCampaign(count: number): Promise<number> {
  const { root, vault, state, place } = makePlace('service');
  layOutNotes(vault, notes);
  const token = createToken(place);
  const { child: serving } = await serve(place);

  const workers = [
    ...Array.from({ length: 5 }, (_, index) => overStdio(`stdio-${index}`, place)),
    ...Array.from({ length: 2 }, (_, index) => overHttp(`http-${index}`, state, token)),
  ];
  const acknowledged = new Set<string>();
  const uncertain = new Set<string>();
  let [done, failures, lastSuccess, killedAt] = [0, 0, performance.now(), 0];
  const takeovers: number[] = [];
  const owners = new Set<number>();

  const isOver = (): boolean => done >= count;
  const work = async ({ name, reach }: Worker): Promise<void> => {
    let client = await reach(isOver);
    for (let turn = 0; client !== null && !isOver(); turn += 1) {
      done += 1;
      const mark = `mark-${name}-${turn}-`;
      const path = `note-${(turn * 7 + name.length) % notes}.md`;
      try {
        const isWrite = turn % 3 !== 2;
        const result = isWrite
          ? await client.callTool({
              name: 'vault_append',
              arguments: { path, content: mark, position: 'bottom' },
            })
          : turn % 2 === 0
            ? await client.callTool({ name: 'vault_read', arguments: { paths: path } })
            : await client.callTool({ name: 'vault_search', arguments: { queries: [mark], mode: 'fast' } });
        if (result.isError === true) throw new Error(JSON.stringify(result.content).slice(0, 300));
        if (isWrite) acknowledged.add(mark);
        lastSuccess = performance.now();
        if (killedAt > 0) {
          takeovers.push(lastSuccess - killedAt);
          killedAt = 0;
        }
      } catch {
        failures += 1;
        uncertain.add(mark);
        await client.close().catch(() => undefined);
        client = await reach(isOver);
      }
    }
    await client?.close();
  };
  const isReached = (at: number): boolean => done >= at;
  const kill = async (at: number): Promise<void> => {
    while (!isReached(at)) await sleep(5);
    const owner = findOwnerProcess(state, Date.now);
    if (owner === null) return;
    owners.add(owner.pid);
    killedAt = performance.now();
    process.kill(owner.pid, 'SIGKILL');
  };
  await Promise.all([...workers.map(work), kill(count / 3).then(() => kill((2 * count) / 3))]);

  const text = readdirSync(vault)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(vault, name), 'utf8'))
    .join('\n');
  const times = (mark: string): number => text.split(mark).length - 1;
  const lost = [...acknowledged].filter((mark) => times(mark) === 0);
  const twice = [...acknowledged, ...uncertain].filter((mark) => times(mark) > 1);
  const slow = takeovers.filter((milliseconds) => milliseconds > maxTakeoverMs);
  console.log(
    `service: ${done} operations, ${acknowledged.size} changes acknowledged, ${failures} not answered, ${owners.size} owners killed, takeovers in ${takeovers.map((each) => `${(each / 1000).toFixed(1)} s`).join(', ')}`,
  );
  if (lost.length > 0)
    console.log(`FAILED: ${lost.length} acknowledged changes are lost, such as ${lost[0]}`);
  if (twice.length > 0)
    console.log(`FAILED: ${twice.length} changes were applied twice, such as ${twice[0]}`);
  if (slow.length > 0 || takeovers.length < owners.size) console.log('FAILED: no process took over in time');
  if (owners.size < 2) console.log('FAILED: fewer than two owners were killed');
  serving.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
  return (
    Number(lost.length > 0) + Number(twice.length > 0) + Number(slow.length > 0) + Number(owners.size < 2)
  );
}

function overStdio(name: string, place: string[]): Worker {
  let transport: StdioClientTransport | null = null;
  return {
    name,
    pid: () => transport?.pid ?? null,
    async reach() {
      transport = new StdioClientTransport({
        command: process.execPath,
        args: [program, 'mcp', ...place],
        stderr: 'ignore',
      });
      const client = new Client({ name, version: '1' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(transport);
      return client;
    },
  };
}

/** Connects to the process that currently serves the vault, like a user who learns the new address. */
function overHttp(name: string, state: string, token: string): Worker {
  return {
    name,
    pid: () => null,
    async reach(isOver) {
      // Gives up when all work is done, because the last process that could serve the vault may have exited.
      while (!isOver()) {
        const owner = findOwnerProcess(state, Date.now);
        if (owner !== null) {
          const headers = { authorization: `Bearer ${token}` };
          const client = new Client({ name, version: '1' }, { versionNegotiation: { mode: 'auto' } });
          const transport = new StreamableHTTPClientTransport(new URL(`${owner.url}/mcp`), {
            requestInit: { headers },
          });
          const isReached = await client.connect(transport).then(
            () => true,
            () => false,
          );
          if (isReached) return client;
        }
        await sleep(100);
      }
      return null;
    },
  };
}
