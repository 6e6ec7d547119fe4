import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { api } from '../../src/contract/index.ts';
import { startPostgres } from '../hosting/postgres.ts';
import { startObjectStore } from '../hosting/s3.ts';
import { processVariables } from '../process-variables.ts';
import { randomNumbers } from '../random-numbers.ts';
import { program, run } from './program.ts';

const nodeNames = ['a', 'b', 'c'];

type Node = { name: string; child: ChildProcess; address: string };
/** One vault and what its writer was told: which lines are saved, and which it does not know of. */
type Written = { vault: string; token: string; saved: number[]; tried: number; savedAt: number };

/**
 * Three nodes, vaults written to by way of all of them, and nodes killed at any moment, with their disk or without. Everything that
 * was acknowledged is there exactly once and in order, whoever serves it in the end.
 */
export async function clusterCampaign(kills: number, vaults = 6): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-cluster-'));
  const [postgres, objects] = [await startPostgres(), await startObjectStore()];
  const keyFile = join(root, 'root.key');
  writeFileSync(keyFile, Buffer.alloc(32, 1));
  await postgres.createDatabase('service');
  const env = {
    ...processVariables,
    KEEPSAKE_DATABASE_URL: postgres.urlOf('service'),
    KEEPSAKE_ROOT_KEY_FILE: keyFile,
    KEEPSAKE_S3_ENDPOINT: objects.settings.endpoint,
    KEEPSAKE_S3_BUCKET: objects.settings.bucket,
    AWS_ACCESS_KEY_ID: objects.settings.accessKeyId,
    AWS_SECRET_ACCESS_KEY: objects.settings.secretAccessKey,
    XDG_STATE_HOME: join(root, 'state'),
  };
  const problems: string[] = [];
  const random = randomNumbers(kills);
  const nodes = new Map<string, Node>();
  const start = async (name: string): Promise<void> => {
    const args = [program, 'node', '--name', name, '--port', '0', '--folder', join(root, name)];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    nodes.set(name, { name, child, address: await addressOf(child) });
  };
  const anyNode = (): Node => [...nodes.values()][Math.floor(random() * nodes.size)] as Node;
  const over = new AbortController();
  const waits: number[] = [];
  try {
    const written = Array.from({ length: vaults }, (): Written => {
      const [vault = ''] = run(['cluster', 'add-vault'], env).split('\n');
      const [token = ''] = run(['cluster', 'add-token', vault, 'campaign', '--scope', 'write'], env).split(
        '\n',
      );
      return { vault, token, saved: [], tried: 0, savedAt: performance.now() };
    });
    await Promise.all(nodeNames.map(start));
    for (const each of written)
      if (!(await call(anyNode(), each, 'write', { path: file, content: '# Lines\n' })))
        throw new Error('not even one write');
    const writing = written.map(async (each) => {
      while (!over.signal.aborted) {
        const number = (each.tried += 1);
        if (
          await call(anyNode(), each, 'append', {
            path: file,
            content: `line ${number}.`,
            position: 'bottom',
          })
        ) {
          waits.push(performance.now() - each.savedAt);
          each.saved.push(number);
          each.savedAt = performance.now();
        } else await sleep(50);
      }
    });
    for (let kill = 0; kill < kills; kill += 1) {
      // Every vault goes on before the next one.
      const before = written.map(({ saved }) => saved.length);
      while (written.some(({ saved }, index) => saved.length < (before[index] ?? 0) + 2)) await sleep(20);
      await sleep(random() * 500);
      const { name, child } = anyNode();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      nodes.delete(name);
      await ended;
      if (random() < 0.5) rmSync(join(root, name), { recursive: true, force: true });
      await sleep(random() * 4_000);
      await start(name);
    }
    over.abort();
    await Promise.all(writing);
    for (const each of written) problems.push(...(await problemsOf(anyNode(), each)));
    const saved = written.reduce((sum, each) => sum + each.saved.length, 0);
    const unknown = written.reduce((sum, each) => sum + each.tried - each.saved.length, 0);
    waits.sort((x, y) => x - y);
    const worst = (waits.at(-1) ?? 0) / 1_000;
    console.log(
      `cluster: ${kills} kills of 3 nodes, ${vaults} vaults, ${saved} lines acknowledged, ${unknown} refused or unknown; longest time from one to the next in a vault ${worst.toFixed(1)} s`,
    );
    if (saved < kills * vaults) problems.push('too little was written');
  } finally {
    over.abort();
    for (const { child } of nodes.values()) child.kill('SIGKILL');
    await objects.stop();
    await postgres.stop();
    rmSync(root, { recursive: true, force: true });
  }
  for (const problem of problems) console.log(`FAILED: ${problem}`);
  return problems.length;
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const address = /^node \S+ at (\S+)\n/m.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(`the node did not start: ${said}`)));
  });
}

const file = 'bucket/lines.md';

/** Whether it was acknowledged. */
async function call(node: Node, { vault, token }: Written, tool: string, input: object): Promise<boolean> {
  try {
    const response = await fetch(`${node.address}/v/${vault}/api/vaults/default/tools/${tool}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input }),
      signal: AbortSignal.timeout(20_000),
    });
    const outcome = api.toolOutcome.safeParse(await response.json());
    return outcome.data?.kind === 'result' && outcome.data.result.value.errors.length === 0;
  } catch {
    return false;
  }
}

async function problemsOf(node: Node, { vault, token, saved, tried }: Written): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${node.address}/v/${vault}/api/vaults/default/files/${file}`, { headers });
  const text = await response.text();
  const lines = [...text.matchAll(/^line (\d+)\.$/gm)].map((found) => Number(found[1]));
  const seen = new Set(lines);
  const problems: string[] = [];
  const lost = saved.filter((number) => !seen.has(number));
  if (lost.length > 0) problems.push(`${vault}: ${lost.length} acknowledged lines are lost, as ${lost[0]}`);
  if (seen.size < lines.length) problems.push(`${vault}: ${lines.length - seen.size} lines are there twice`);
  if (lines.some((number, index) => number < (lines[index - 1] ?? 0)))
    problems.push(`${vault}: not in order`);
  if (lines.some((number) => number > tried)) problems.push(`${vault}: a line that nobody wrote`);
  return problems;
}
