// A hook ends within seconds and with little memory, also in a folder whose .git is a pipe or a device.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { recordSessions, startHook } from './lib/sessions.mjs';
import { broken, failed, held, newVault, sleep, world } from './lib/world.mjs';

await newVault();
recordSessions();
const folders = {
  'an ordinary folder': () => undefined,
  'a pipe called .git': (folder) => execFileSync('mkfifo', [join(folder, '.git')]),
  'a pipe called .git/config': (folder) => {
    mkdirSync(join(folder, '.git'));
    execFileSync('mkfifo', [join(folder, '.git/config')]);
  },
  'a link .git/config to /dev/zero': (folder) => {
    mkdirSync(join(folder, '.git'));
    symlinkSync('/dev/zero', join(folder, '.git/config'));
  },
};
const readPeakMegabytes = (pid) => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_000;
  } catch {
    return 0;
  }
};
const problems = [];
for (const [index, [name, make]] of Object.entries(folders).entries()) {
  const folder = join(world, `code${index}`);
  mkdirSync(folder);
  make(folder);
  const began = performance.now();
  const input = { session_id: `s${index}`, cwd: folder, prompt: 'Hello there.', prompt_id: 'p' };
  const child = startHook('prompt', input);
  let megabytes = 0;
  const poll = setInterval(() => (megabytes = Math.max(megabytes, readPeakMegabytes(child.pid))), 50);
  await Promise.race([new Promise((resolve) => child.on('exit', resolve)), sleep(8_000)]);
  clearInterval(poll);
  const seconds = (performance.now() - began) / 1_000;
  child.kill('SIGKILL');
  if (index === 0 && seconds > 5) failed(`an ordinary folder takes ${seconds.toFixed(1)} s`);
  if (seconds > 4 || megabytes > 800)
    problems.push(`${name}: ${seconds.toFixed(1)} s, ${Math.round(megabytes)} MB`);
}
if (problems.length > 0) broken(problems.join('; '));
held();
