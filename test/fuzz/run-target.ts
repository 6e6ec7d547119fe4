// One target in a process of its own, which may be ended by what it reads: run-target <name> <executions> <seed> <folder> <current>.
import { openSync } from 'node:fs';
import { fuzz } from './fuzz.ts';
import { targets } from './targets.ts';

const [name = '', executions, seed, folder = '', current = ''] = process.argv.slice(2);
const target = await targets[name]?.();
if (target === undefined) throw new Error(`there is no target ${name}`);
const fuzzed = await fuzz(target, {
  name,
  executions: Number(executions),
  seed: Number(seed),
  folder,
  current: openSync(current, 'w'),
});
process.send?.(fuzzed, () => process.disconnect());
