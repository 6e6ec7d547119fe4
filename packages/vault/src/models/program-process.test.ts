import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missing } from '../../../../test/missing.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { findProgram, startProgram } from './program-process.ts';

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(missing('POSIX') !== null)('a program of the user', () => {
  it('is ended together with the processes that it has started', async () => {
    const script = [
      "const child = require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore' });",
      "console.log('a line that is not JSON');",
      'console.log(JSON.stringify({ child: child.pid }));',
      'setInterval(() => {}, 1_000);',
    ].join('\n');
    const { promise: ended, resolve: end } = Promise.withResolvers<string>();
    const { promise: said, resolve: say } = Promise.withResolvers<{ child: number }>();
    const { pid = 0, kill } = startProgram(process.execPath, {
      args: ['-e', script],
      cwd: temporaryFolder(),
      variables: { PATH: process.env['PATH'] },
      onValue: (value) => say(value as { child: number }),
      onEnd: end,
    });
    const { child } = await said;
    expect([pid, child].map(isRunning)).toEqual([true, true]);
    kill();
    await ended;
    await expect.poll(() => [pid, child].map(isRunning), { timeout: 10_000 }).toEqual([false, false]);
  });

  it('reports its error output when it ends by itself, and why it could not be started', async () => {
    const run = (file: string, ...args: string[]): Promise<string> =>
      new Promise((resolve) => {
        startProgram(file, {
          args,
          cwd: temporaryFolder(),
          variables: {},
          onValue: () => undefined,
          onEnd: resolve,
        });
      });
    expect(await run(process.execPath, '-e', "console.error('no space left'); process.exit(3)")).toBe(
      'no space left',
    );
    expect(await run(process.execPath, '-e', 'process.exit(3)')).toBe('exit code 3');
    expect(await run('/nowhere/claude')).toBe('ENOENT');
  });

  it('is not trusted to print objects only', async () => {
    const values: unknown[] = [];
    const script = `for (const line of ['null', '1', '"x"', '[]', '{"ok":true}']) console.log(line)`;
    await new Promise((resolve) => {
      startProgram(process.execPath, {
        args: ['-e', script],
        cwd: temporaryFolder(),
        variables: {},
        onValue: (value) => values.push(value),
        onEnd: resolve,
      });
    });
    expect(values).toEqual([{ ok: true }]);
  });

  it('is found on the search path without being started', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'claude');
    writeFileSync(file, '#!/bin/sh\nexit 1\n');
    chmodSync(file, 0o755);
    expect(findProgram('claude', `/nowhere::${folder}`)).toBe(file);
    expect(findProgram('codex', folder)).toBeNull();
  });
});
