// Runs one target in a separate process, because an input may crash it. Usage: run-target <name> <executions> <seed>
// <folder> <current>
import { openSync } from 'node:fs';
import { fuzz } from './fuzz.ts';
import { targets } from './targets.ts';

const [name = '', executions, seed, folder = '', current = ''] = process.argv.slice(2);
const target = await targets[name]?.();
if (target === undefined) throw new Error(`unknown target ${name}`);
const fuzzed = await fuzz(target, {
  name,
  executions: Number(executions),
  seed: Number(seed),
  folder,
  current: openSync(current, 'w'),
});
process.send?.(fuzzed, () => process.disconnect());
