import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { middleOf, verdict } from './measure.ts';
import type { Size } from './measure.ts';

const program = resolve('packages/vault/dist/cli/main.js');

/** Usage that a process reports when it exits: CPU time in milliseconds, peak memory in megabytes. */
type Used = { time: number; memory: number };

/**
 * `npm run bench -- start`: compares the resource usage of commands with that of bare Node.js. The runs alternate, so
 * that a slow moment affects all of them.
 */
export async function startBench(size: Size): Promise<void> {
  const runs = size === 'tiny' ? 1 : 30;
  const root = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  const usageReporter = join(root, 'used.cjs');
  writeFileSync(
    usageReporter,
    `process.on('exit', () => { const used = process.resourceUsage(); require('node:fs').writeSync(3, JSON.stringify({ time: (used.userCPUTime + used.systemCPUTime) / 1000, memory: used.maxRSS / 1024 })); });`,
  );
  const environment = {
    ...process.env,
    HOME: root,
    XDG_STATE_HOME: join(root, 'state'),
    XDG_CONFIG_HOME: join(root, 'config'),
  };
  const use = (args: string[], input = ''): Used => {
    const { status, output } = spawnSync(process.execPath, ['--require', usageReporter, ...args], {
      stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
      input,
      env: environment,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}`);
    return JSON.parse(output[3] ?? '') as Used;
  };
  const vault = join(root, 'vault');
  const settings = { vault, capture: 'everywhere', unattended: true, links: {} };
  mkdirSync(join(root, 'config', 'keepsake'), { recursive: true });
  writeFileSync(join(root, 'config', 'keepsake', 'sessions.json'), JSON.stringify(settings));
  const prompt = 'Which database do we use, and why did we choose it? '.repeat(10);
  const said = JSON.stringify({ session_id: 's', cwd: root, prompt });
  const asking = [
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'bench', version: '1' },
      },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'vault_read', arguments: { paths: 'tasks.md' } } },
  ]
    .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    .join('');
  use([program, 'init', vault]);
  const owner = spawn(process.execPath, [program, 'serve', '--vault', vault, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: environment,
  });
  try {
    await once(owner.stdout, 'data');
    const bare = { name: 'node -e 0', run: () => use(['-e', '0']) };
    const measured = [
      { name: '--version', limit: 2.5, run: () => use([program, '--version']) },
      {
        name: 'read beside an owner',
        limit: 4,
        run: () => use([program, 'read', 'tasks.md', '--vault', vault]),
      },
      {
        name: 'hook prompt',
        limit: 2,
        run: () => use([program, 'hook', 'auto', 'prompt'], said),
      },
      {
        name: 'find beside an owner',
        limit: 4,
        run: () => use([program, 'find', 'tasks', '--vault', vault]),
      },
    ];
    const all = [bare, ...measured].map((each) => ({ ...each, used: [] as Used[] }));
    for (let run = -1; run < runs; run += 1)
      for (const { run: once_, used } of all)
        if (run < 0) once_();
        else used.push(once_());
    const base = middleOf((all[0]?.used ?? []).map(({ time }) => time));
    console.log(`node -e 0: ${base.toFixed(1)} ms of CPU time, median of ${runs}`);
    for (const { name, limit } of measured) {
      const times = all.find((each) => each.name === name)?.used.map(({ time }) => time) ?? [];
      const ratio = middleOf(times) / base;
      console.log(
        `keepsake ${name}: ${middleOf(times).toFixed(1)} ms, ${ratio.toFixed(2)}×; at most ${limit}×: ${verdict(ratio <= limit, ratio)}`,
      );
    }
    const memoryOf = (args: string[]): number =>
      middleOf(Array.from({ length: runs }, () => use(args, asking).memory));
    const plain = memoryOf(['-e', 'process.stdin.resume()']);
    const client = memoryOf([program, 'mcp', '--vault', vault]);
    const ratio = client / plain;
    console.log(
      `keepsake mcp beside an owner: ${client.toFixed(0)} MB, ${ratio.toFixed(2)}× a bare Node.js; at most 1.6×: ${verdict(ratio <= 1.6, ratio)}`,
    );
  } finally {
    owner.kill();
    rmSync(root, { recursive: true, force: true });
  }
}
