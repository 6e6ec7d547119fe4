import { beforeAll, expect, it } from 'vitest';
import { processVariables } from '../../../../test/process-variables.ts';
import { runHere, runProgram } from './run-program.ts';
import type { Program } from './run-program.ts';

const shell = (script: string, input: readonly Buffer[] = []): Program => ({
  name: 'sh',
  args: ['-c', script],
  env: processVariables,
  input,
});

const filler: Buffer[] = [];
beforeAll(() => void filler.push(Buffer.alloc(256 * 1024 * 1024, 1)));

it('a large process has programs started by a small one', async () => {
  const { failure, stdout } = await runProgram(shell('echo $PPID'));
  expect(failure).toBeNull();
  expect(Number(stdout)).not.toBe(process.pid);
  expect(Number((await runHere(shell('echo $PPID'))).stdout)).toBe(process.pid);
});

it.each([
  ['what comes in and goes out', shell('cat', [Buffer.from([0, 255, 10]), Buffer.alloc(3_000_000, 7)])],
  ['an exit code and what was said', shell('echo why >&2; exit 3')],
  ['a program that is ended', shell('kill -9 $$')],
  ['one that is not there', { ...shell(''), name: 'no-such-program' }],
])('%s is the same either way', async (_, program) => {
  const [there, here] = [await runProgram(program), await runHere(program)];
  expect(Buffer.compare(there.stdout, here.stdout)).toBe(0);
  expect({ ...there, stdout: null }).toEqual({ ...here, stdout: null });
});

it('is ended when nobody waits any more, and others go on', async () => {
  const over = new AbortController();
  const [ended, other] = [runProgram(shell('sleep 600'), over.signal), runProgram(shell('echo on'))];
  expect(String((await other).stdout)).toBe('on\n');
  over.abort();
  expect((await ended).failure).toMatchObject({ code: 'ABORT_ERR' });
  expect((await runProgram(shell('sleep 600'), over.signal)).failure).toMatchObject({ code: 'ABORT_ERR' });
});

it('says so when the small process ends, and starts another', async () => {
  const starter = Number((await runProgram(shell('echo $PPID'))).stdout);
  await expect(runProgram(shell(`kill -9 ${starter}; sleep 1`))).rejects.toThrow('has ended');
  const { stdout } = await runProgram(shell('echo $PPID'));
  expect([starter, process.pid]).not.toContain(Number(stdout));
});
