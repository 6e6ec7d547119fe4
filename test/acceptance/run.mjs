#!/usr/bin/env node
// Runs the acceptance cases against a built command line. No dependencies.
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const args = process.argv.slice(2);
const take = (flag, withValue) => {
  const at = args.indexOf(flag);
  if (at < 0) return undefined;
  return args.splice(at, withValue ? 2 : 1)[withValue ? 1 : 0];
};
const verbose = take('-v', false) !== undefined;
const only = take('--only', true)?.split(',');
const every = Number(take('--every', true) ?? 1);
// How many cases run at once, or which share of them this process runs for another one.
const atOnce = Number(take('--at-once', true) ?? 1);
const [share, shares] = (take('--share', true) ?? '0/1').split('/').map(Number);
if (args.length === 0) {
  console.error('usage: run.mjs [-v] [--only GROUP,…] [--every N] [--at-once N] <command…>');
  process.exit(2);
}
if (atOnce > 1) process.exit(await runShares());
// Some cases run in folders of their own.
const [command, ...prefix] = args.map((part) =>
  part.includes('/') && existsSync(part) ? resolve(part) : part,
);

/** Runs every share of the cases in a process of its own, and prints their sum. Returns the exit code. */
async function runShares() {
  const at = process.argv.indexOf('--at-once');
  const others = process.argv.slice(2).toSpliced(at - 2, 2);
  const outputs = await Promise.all(
    Array.from({ length: atOnce }, async (_, index) => {
      const child = spawn(
        process.execPath,
        [fileURLToPath(import.meta.url), '--share', `${index}/${atOnce}`, ...others],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      return text(child.stdout);
    }),
  );
  const sum = { passed: 0, failed: 0 };
  for (const output of outputs) {
    const [counts, passed = 0, failed = 1] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [''];
    process.stdout.write(output.slice(0, output.length - counts.length));
    sum.passed += Number(passed);
    sum.failed += Number(failed);
  }
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  return sum.failed === 0 ? 0 : 1;
}

function lay(root, files) {
  for (const [path, content] of Object.entries(files)) {
    const full = join(root, path);
    if (path.endsWith('/')) {
      mkdirSync(full, { recursive: true });
      continue;
    }
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'));
  }
}

function matches(expected, actual) {
  if (typeof expected === 'function') return expected(actual);
  if (expected instanceof RegExp) return expected.test(actual);
  if (Array.isArray(expected))
    return expected.every(
      (part) => matches(part, actual) || (typeof part === 'string' && actual.includes(part)),
    );
  return actual.trimEnd() === expected.trimEnd();
}

/**
 * What a case that is more than a list of steps works with: it is a function `run(world)`, and what it throws is the problem.
 * `machine(name)` is a machine of its own: HOME and the XDG folders in one folder, and commands that know no other.
 */
function worldOf(root, vault, state) {
  const keepsake = (
    argv,
    { stdin = '', cwd = root, env = process.env, flags = ['--vault', vault, '--state', state] } = {},
  ) => {
    const done = spawnSync(command, [...prefix, ...argv, ...flags], {
      input: stdin,
      cwd,
      encoding: 'utf8',
      timeout: 60_000,
      maxBuffer: 2 ** 28,
      env: { ...env, NO_COLOR: '1' },
    });
    if (done.error) throw done.error;
    return { ...done, said: `${done.stdout}${done.stderr}`, shown: `keepsake ${argv.join(' ')}` };
  };
  const machine = (name) => {
    const home = join(root, name);
    mkdirSync(home);
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([key]) => !key.startsWith('KEEPSAKE_')),
    );
    Object.assign(
      env,
      { HOME: home, USERPROFILE: home },
      ...['STATE', 'CONFIG', 'DATA', 'CACHE'].map((kind) => ({
        [`XDG_${kind}_HOME`]: join(home, kind.toLowerCase()),
      })),
    );
    return {
      home,
      keepsake: (argv, { stdin, cwd = home } = {}) => keepsake(argv, { stdin, cwd, env, flags: [] }),
    };
  };
  const done = (result, exit = 0) => {
    if (result.status !== exit)
      throw new Error(`${result.shown}: exit ${result.status}, expected ${exit}\n${result.said}`);
    return result;
  };
  const check = (isRight, problem) => {
    if (!isRight) throw new Error(problem);
  };
  return { root, vault, state, keepsake, machine, done, check, lay };
}

function invoke(step, vault, state) {
  const flags = ['--vault', vault, '--state', state];
  const argv = step.batch
    ? ['call', '--batch', '-']
    : (step.argv ?? ['call', step.call, JSON.stringify(step.input)]);
  const input = step.batch ? step.batch.map((line) => JSON.stringify(line)).join('\n') + '\n' : step.stdin;
  const done = spawnSync(command, [...prefix, ...argv, ...flags], {
    input,
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { ...done, argv };
}

let passed = 0;
let position = 0;
const failures = [];
for (const file of readdirSync(join(here, 'cases'))
  .filter((name) => name.endsWith('.mjs'))
  .toSorted()) {
  const group = file.replace(/\.mjs$/, '');
  if (only && !only.includes(group)) continue;
  const { cases } = await import(pathToFileURL(join(here, 'cases', file)).href);
  for (const test of cases.filter((_, index) => index % every === 0)) {
    position += 1;
    if (position % shares !== share) continue;
    if (test.skipped) {
      console.log(`skipped ${group}: ${test.name}, because ${test.skipped}`);
      continue;
    }
    const root = mkdtempSync(join(tmpdir(), 'keepsake-acceptance-'));
    const vault = join(root, 'vault');
    const state = join(root, 'state');
    mkdirSync(vault);
    lay(vault, test.files ?? {});
    const problems = [];
    if (test.run) {
      try {
        await test.run(worldOf(root, vault, state));
      } catch (error) {
        problems.push(error.message);
      }
    }
    for (const step of test.steps ?? (test.run ? [] : [test])) {
      const done = invoke(step, vault, state);
      const shown = `keepsake ${done.argv.join(' ')}`;
      if (done.error) {
        problems.push(`${shown}: ${done.error.message}`);
        break;
      }
      const exit = step.exit ?? 0;
      if (done.status !== exit)
        problems.push(`${shown}: exit ${done.status}, expected ${exit}\n${done.stderr}`);
      if (step.text !== undefined && !matches(step.text, done.stdout)) {
        problems.push(`${shown}\n--- expected\n${step.text}\n--- actual\n${done.stdout}${done.stderr}`);
      }
      if (step.results) {
        const lines = done.stdout.trim().split('\n').filter(Boolean);
        for (const [index, expected] of step.results.entries()) {
          let line;
          try {
            line = JSON.parse(lines[index] ?? 'null');
          } catch {
            line = null;
          }
          if (!line) {
            problems.push(`${shown}: no result line ${index}\n${done.stdout}${done.stderr}`);
            continue;
          }
          if (expected.ok !== undefined && line.ok !== expected.ok)
            problems.push(`${shown}: result ${index} ok=${line.ok}, expected ${expected.ok}: ${line.text}`);
          if (expected.text !== undefined && !matches(expected.text, line.text ?? ''))
            problems.push(
              `${shown}: result ${index}\n--- expected\n${expected.text}\n--- actual\n${line.text}`,
            );
        }
      }
    }
    for (const [path, expected] of Object.entries(test.after ?? {})) {
      const full = join(vault, path);
      if (expected === null) {
        if (existsSync(full)) problems.push(`${path} should not exist`);
        continue;
      }
      if (!existsSync(full)) {
        problems.push(`${path} is missing`);
        continue;
      }
      const actual = readFileSync(full, 'utf8');
      if (!(typeof expected === 'function' ? expected(actual) : matches(expected, actual)))
        problems.push(`${path}\n--- expected\n${expected}\n--- actual\n${actual}`);
    }
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    if (problems.length === 0) passed += 1;
    else failures.push({ name: `${group}: ${test.name}`, problems });
  }
}
for (const failure of failures) {
  console.log(`FAIL ${failure.name}`);
  if (verbose) for (const problem of failure.problems) console.log(problem.replace(/^/gm, '    '));
}
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
