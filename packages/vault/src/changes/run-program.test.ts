import { beforeAll, expect, it } from 'vitest';
import { missing } from '../../../../test/missing.ts';
import { processVariables } from '../../../../test/process-variables.ts';
import { runInProcess, runProgram } from './run-program.ts';
import type { Program } from './run-program.ts';

const shell = (script: string, input: readonly Buffer[] = []): Program => ({
  name: 'sh',
  args: ['-c', script],
  env: processVariables,
  input,
});

/** The programs are shell scripts that look at their parent process. */
const isUnusable = missing('POSIX');

const filler: Buffer[] = [];
beforeAll(() => void filler.push(Buffer.alloc(256 * 1024 * 1024, 1)));

it.skipIf(isUnusable)(
  'runProgram starts programs from a small helper process when this process is large',
  async () => {
    const { failure, stdout } = await runProgram(shell('echo $PPID'));
    expect(failure).toBeNull();
    expect(Number(stdout)).not.toBe(process.pid);
    expect(Number((await runInProcess(shell('echo $PPID'))).stdout)).toBe(process.pid);
  },
);

it.each([
  ['input and output', shell('cat', [Buffer.from([0, 255, 10]), Buffer.alloc(3_000_000, 7)])],
  ['exit code and stderr', shell('echo why >&2; exit 3')],
  ['the result of a killed program', shell('kill -9 $$')],
  ['the result of a missing program', { ...shell(''), name: 'no-such-program' }],
])('runProgram returns the same %s with and without the helper process', async (_, program) => {
  const [there, here] = [await runProgram(program), await runInProcess(program)];
  expect(Buffer.compare(there.stdout, here.stdout)).toBe(0);
  expect({ ...there, stdout: null }).toEqual({ ...here, stdout: null });
});

it.skipIf(isUnusable)(
  'runProgram kills a program when its signal is aborted, and lets others continue',
  async () => {
    const over = new AbortController();
    const [ended, other] = [
      runProgram(shell('sleep 600'), { signal: over.signal }),
      runProgram(shell('echo on')),
    ];
    expect(String((await other).stdout)).toBe('on\n');
    over.abort();
    expect((await ended).failure).toMatchObject({ code: 'ABORT_ERR' });
    expect((await runProgram(shell('sleep 600'), { signal: over.signal })).failure).toMatchObject({
      code: 'ABORT_ERR',
    });
  },
);

it.skipIf(isUnusable)(
  'runProgram rejects when the helper process dies, and starts another one for the next call',
  async () => {
    const starter = Number((await runProgram(shell('echo $PPID'))).stdout);
    await expect(runProgram(shell(`kill -9 ${starter}; sleep 1`))).rejects.toThrow('git was killed');
    const { stdout } = await runProgram(shell('echo $PPID'));
    expect([starter, process.pid]).not.toContain(Number(stdout));
  },
);

it.skipIf(isUnusable).each([
  ['the helper process', runProgram],
  ['this process', runInProcess],
])('output can be streamed from %s, and ends when the signal is aborted', async (_, run) => {
  let streamed = 0;
  const onOutput = (piece: Buffer): void => void (streamed += piece.length);
  const { failure, stdout } = await run(shell('head -c 3000000 /dev/zero'), { onOutput });
  expect({ failure, stdout: stdout.length, streamed }).toEqual({
    failure: null,
    stdout: 0,
    streamed: 3_000_000,
  });
  const over = new AbortController();
  const endless = await run(shell('exec cat /dev/zero'), {
    signal: over.signal,
    onOutput: () => over.abort(),
  });
  expect(endless.failure).toMatchObject({ code: 'ABORT_ERR' });
  const failed = await run(shell('echo why >&2; exit 3'), { onOutput });
  expect({ ...failed.failure, stderr: String(failed.stderr) }).toMatchObject({ code: 3, stderr: 'why\n' });
  const absent = await run({ ...shell(''), name: 'no-such-program' }, { onOutput });
  expect(absent.failure).toMatchObject({ code: 'ENOENT' });
});
