import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { processVariables, program } from './process-variables.ts';
import { runCommand } from './run-command.ts';
import { laidOut, layOut, temporaryFolder } from './temporary-vault.ts';

const payload = JSON.stringify({ session_id: 's1', cwd: '/', prompt: 'Which database?', prompt_id: 'p1' });

/** A user whose sessions are recorded in all folders. */
function person() {
  const home = temporaryFolder();
  const vault = join(home, 'vault');
  const settings = { vault, capture: 'everywhere', unattended: true, links: {}, clients: ['claude-code'] };
  layOut(vault, laidOut);
  layOut(home, { 'config/keepsake/sessions.json': JSON.stringify(settings) });
  const env = {
    ...processVariables,
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CONFIG_HOME: join(home, 'config'),
  };
  const spool = join(home, 'state', 'keepsake', 'spool');
  return {
    /** Starts a hook that waits for its input; `preload` runs in its process before Keepsake. */
    startHook: (preload = '') => {
      layOut(home, { 'preload.cjs': preload });
      const args = ['--require', join(home, 'preload.cjs'), program, 'hook', 'auto', 'prompt'];
      const child = spawn(process.execPath, args, { env });
      onTestFinished(() => void child.kill('SIGKILL'));
      // The hook may exit before it has read all of its input.
      child.stdin.on('error', () => undefined);
      return { child, ended: once(child, 'close') };
    },
    claims: () => globSync(join(spool, 'claims', '*')),
    recorded: () => globSync(join(spool, '*.json')).map((file) => readFileSync(file, 'utf8')),
    keepsake: async (...args: string[]) =>
      (await runCommand([...args, '--vault', vault], { variables: env })).out,
  };
}

it('a hook records a prompt, however late its process starts', async () => {
  const { startHook, recorded, claims } = person();
  // In this process, an hour seems to have passed since its start.
  const { child, ended } = startHook(
    'const now = performance.now.bind(performance); performance.now = () => now() + 3_600_000;',
  );
  child.stdin.write(payload.slice(0, 20));
  while (claims().length === 0 && child.exitCode === null) await sleep(20);
  await sleep(100);
  child.stdin.end(payload.slice(20));
  expect(await ended).toEqual([0, null]);
  expect(recorded()).toEqual([expect.stringContaining('Which database?')]);
  expect(claims()).toEqual([]);
});

it('a hook finishes the current write when the client terminates it', async () => {
  const { startHook, recorded, claims } = person();
  const { child, ended } = startHook(`
    const fs = require('node:fs');
    const { renameSync } = fs;
    fs.renameSync = (...args) => {
      process.kill(process.pid, 'SIGTERM');
      renameSync(...args);
    };
    require('node:module').syncBuiltinESMExports();
  `);
  child.stdin.end(payload);
  expect(await ended).toEqual([0, null]);
  expect(recorded()).toEqual([expect.stringContaining('Which database?')]);
  expect(claims()).toEqual([]);
});

it('a hook reads the rest of its input from the stream when the descriptor is non-blocking', async () => {
  const { startHook, recorded, claims } = person();
  const { child, ended } = startHook(`
    const fs = require('node:fs');
    const { readSync } = fs;
    let reads = 0;
    fs.readSync = (file, ...args) => {
      if (file === 0 && (reads += 1) > 1) throw Object.assign(new Error('not now'), { code: 'EAGAIN' });
      return readSync(file, ...args);
    };
    require('node:module').syncBuiltinESMExports();
  `);
  child.stdin.write(payload.slice(0, 20));
  while (claims().length === 0 && child.exitCode === null) await sleep(20);
  child.stdin.end(payload.slice(20));
  expect(await ended).toEqual([0, null]);
  expect(recorded()).toEqual([expect.stringContaining('Which database?')]);
});

it('a hook is terminated by a signal while it waits for its input', async () => {
  const { startHook, claims } = person();
  const { child, ended } = startHook();
  while (claims().length === 0 && child.exitCode === null) await sleep(20);
  child.kill('SIGTERM');
  expect(await ended).toEqual([null, 'SIGTERM']);
  expect(claims()).toHaveLength(1);
});

it('a hook is counted as failed by capture status, doctor and the brief when it is killed before it has read its input', async () => {
  const { startHook, claims, keepsake } = person();
  const { child, ended } = startHook();
  while (claims().length === 0 && child.exitCode === null) await sleep(20);
  expect(JSON.parse(await keepsake('capture', 'status', '--json'))).toMatchObject({ lost: { prompts: 0 } });
  child.kill('SIGKILL');
  await ended;
  expect(JSON.parse(await keepsake('capture', 'status', '--json'))).toMatchObject({ lost: { prompts: 1 } });
  expect(await keepsake('capture', 'status')).toMatch(
    /^not recorded in the last 7 days: 1 prompt; most recently at 20/m,
  );
  expect(await keepsake('doctor')).toMatch(/Sessions: not recorded in the last 7 days: 1 prompt/);
  expect(await keepsake('brief')).toContain(
    'Hooks failed to record parts of sessions in the last 7 days: 1 prompt.',
  );
});
