// Bounded work: a git remote with a commit of forty objects that names seven million files is refused without taking gigabytes or holding up the service.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { broken, failed, held, keepsake, needs, newVault, serve, sleep, world } from './lib/world.mjs';

needs('git');
await newVault({ 'note.md': 'mine\n' });
const remote = join(world, 'remote.git');
const git = (args, input) =>
  execFileSync('git', ['--git-dir', remote, ...args], { input, maxBuffer: 1e8 })
    .toString()
    .trim();
execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', remote]);
const first = await keepsake(['sync', remote, '--watch']);
if (first.code !== 0) failed(`sync: ${first.stderr}`);
// Each level names the one below ten times.
const blob = git(['hash-object', '-w', '--stdin'], 'x');
let tree = git(
  ['mktree'],
  Array.from({ length: 10 }, (_, i) => `100644 blob ${blob}\tf${i}`).join('\n') + '\n',
);
for (let level = 0; level < 5; level++)
  tree = git(
    ['mktree'],
    Array.from({ length: 10 }, (_, i) => `040000 tree ${tree}\td${i}`).join('\n') + '\n',
  );
const top = git(
  ['mktree'],
  `${git(['ls-tree', 'main'])}\n${Array.from({ length: 7 }, (_, i) => `040000 tree ${tree}\tz${i}`).join('\n')}\n`,
);
const commit = git([
  '-c',
  'user.name=x',
  '-c',
  'user.email=x@x',
  'commit-tree',
  top,
  '-p',
  'main',
  '-m',
  'x',
]);
git(['update-ref', 'refs/heads/main', commit]);

const service = await serve();
let worst = 0;
const memory = () =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;
const began = performance.now();
while (
  performance.now() - began < 35_000 &&
  !service.hasEnded &&
  !/more than 1000000 files|"level":"error"/.test(service.log)
) {
  const asked = performance.now();
  await fetch(`${service.url}/api/health`, { signal: AbortSignal.timeout(30_000) }).then(
    (r) => r.text(),
    () => undefined,
  );
  worst = Math.max(worst, performance.now() - asked);
  await sleep(50);
}
const seconds = (performance.now() - began) / 1000;
if (!/more than 1000000 files/.test(service.log))
  failed(`the remote was not refused: ${service.log.slice(0, 300)}`);
const said =
  /"message":"([^"]*)/.exec(service.log.split('\n').find((line) => line.includes('"error"')) ?? '')?.[1] ??
  'nothing';
if (service.hasEnded) broken(`the service ended: ${service.log.trim().split('\n').at(-1).slice(0, 200)}`);
const megabytes = memory();
if (megabytes > 600 || worst > 1_500)
  broken(
    `the service took ${Math.round(megabytes)} MB, let others wait for ${(worst / 1000).toFixed(1)} s (${seconds.toFixed(0)} s in all), and says: ${said}`,
  );
console.error({ megabytes, worst, said, log: service.log.slice(0, 500) });
held();
