import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { campaigns } from '../test/campaigns/campaigns.ts';
import { processVariables } from '../test/process-variables.ts';
import type { Step, Steps } from './steps.ts';

/** Caches compilation for programs that are started hundreds of times. Not used where system calls are counted. */
const compiledOnce = { NODE_COMPILE_CACHE: processVariables.NODE_COMPILE_CACHE };

/** Builds the program; the steps after it use the build. */
export async function build(steps: Steps): Promise<boolean> {
  const { isPassed } = await steps.run({ name: 'build', command: ['npm', 'run', '--silent', 'build'] });
  if (isPassed) process.env['TESTED_PROGRAM'] = 'packages/vault/dist/cli/main.js';
  return isPassed;
}

/** Installs the models and tools that nightly tests need in addition to npm ci. Tests report missing ones. */
export async function prepareTests({ prepare }: Steps): Promise<void> {
  await Promise.all([
    prepare({ name: 'model', command: [process.execPath, 'test/local-models/prepare.ts'] }),
    prepare({ name: 'MCP tools', command: [process.execPath, 'test/mcp/prepare.ts'] }),
  ]);
}

/** Runs every `step`-th acceptance case. */
export async function runAcceptance(steps: Steps, step = 1): Promise<void> {
  const command = ['test/acceptance/run.mjs', '-v', '--every', `${step}`];
  await steps.runChecks({
    name: 'acceptance',
    command: [process.execPath, ...command, process.execPath, 'packages/vault/dist/cli/main.js'],
    env: compiledOnce,
  });
}

export async function runThroughCluster(steps: Steps): Promise<void> {
  const command = [process.execPath, 'test/hosting/acceptance.ts', 'write'];
  await steps.runChecks({ name: 'acceptance through a cluster', command, env: compiledOnce });
}

/** Runs a short version of one of the long tests in test/campaigns/. */
export async function runSample(steps: Steps, name: string): Promise<void> {
  if (!Object.hasOwn(campaigns, name)) throw new Error(`campaign ${name} does not exist`);
  const apart = name === 'cluster' ? networkApart() : [];
  const isTraced = name === 'kill' || name === 'errors';
  const step: Step = {
    name: `campaign ${name}`,
    command: [...apart, process.execPath, 'test/campaigns/main.ts', name, 'sample'],
    env: isTraced ? {} : compiledOnce,
  };
  await steps.run(step);
}

/**
 * Isolates the network of the cluster campaign: it changes network interfaces, and Chromium would then cancel the
 * requests of tests that run in parallel.
 */
function networkApart(): string[] {
  const isAllowed = spawnSync('unshare', ['--net', 'true']).status === 0;
  return isAllowed ? ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'] : [];
}

export async function runAttacks(steps: Steps): Promise<void> {
  const names = readdirSync('test/attacks').flatMap((file) => /^(.+)\.(?:sh|mjs)$/.exec(file)?.[1] ?? []);
  const command = ['test/attacks/run', '--only', ...names, '.'];
  await steps.runChecks({ name: 'attacks', command }, /(\d+) held, (\d+) broken, \d+ skipped\s*$/);
}
