// `npm run bench -- <name>` prints ratios between measurements of the same run, because absolute times vary between
// machines and runs.
import type { Size } from './measure.ts';

type Bench = (size: Size, argument?: string) => Promise<void>;

const benches: Record<string, () => Promise<Bench>> = {
  reading: async () => (await import('./reading.ts')).readingBench,
  writing: async () => (await import('./writing.ts')).writingBench,
  search: async () => (await import('./search.ts')).searchBench,
  deep: async () => (await import('./deep.ts')).deepBench,
  queue: async () => (await import('./queue.ts')).queueBench,
  service: async () => (await import('./service.ts')).serviceBench,
  large: async () => (await import('./large.ts')).largeBench,
  start: async () => (await import('./start.ts')).startBench,
  today: async () => (await import('./today.ts')).todayBench,
  size: async () => (await import('./size.ts')).sizeBench,
  hosting: async () => (await import('./hosting.ts')).hostingBench,
};
const [name = '', argument] = process.argv.slice(2);
const load = benches[name];
if (name === 'tiny') {
  console.log('This only checks that each bench still runs; figures at this size mean nothing.');
  for (const [each, loadBench] of Object.entries(benches))
    // Skips `size`, because `npm run smoke` already packs, installs and measures the package.
    if (each !== 'size') {
      console.log(`\n${each}`);
      await (
        await loadBench()
      )('tiny');
    }
} else if (load === undefined) {
  console.error(`usage: npm run bench -- <${[...Object.keys(benches), 'tiny'].join(' | ')}>`);
  process.exitCode = 2;
} else await (await load())('full', argument);
