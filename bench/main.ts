// npm run bench -- <name>: prints ratios measured in one run, because machines differ and are noisy.
import { deepBench } from './deep.ts';
import { hostingBench } from './hosting.ts';
import { largeBench } from './large.ts';
import { queueBench } from './queue.ts';
import { readingBench } from './reading.ts';
import { searchBench } from './search.ts';
import { serviceBench } from './service.ts';
import { sizeBench } from './size.ts';
import { startBench } from './start.ts';
import { writingBench } from './writing.ts';

const benches: Record<string, () => Promise<void>> = {
  reading: readingBench,
  writing: writingBench,
  search: searchBench,
  deep: deepBench,
  queue: queueBench,
  service: serviceBench,
  large: largeBench,
  start: startBench,
  size: sizeBench,
  hosting: hostingBench,
};
const name = process.argv[2] ?? '';
const bench = benches[name];
if (bench === undefined) {
  console.error(`usage: npm run bench -- <${Object.keys(benches).join(' | ')}>`);
  process.exitCode = 2;
} else await bench();
