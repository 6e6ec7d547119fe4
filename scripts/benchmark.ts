// node scripts/benchmark.ts: measures the baselines and the solutions, and writes the table into docs/benchmark.md. Other rows stay.
import { readFileSync, writeFileSync } from 'node:fs';
import { readEnvironment } from '../packages/vault/src/app/index.ts';
import {
  baselineNames,
  evaluateFiling,
  scenarioSets,
  summarizeRun,
} from '../packages/benchmark/src/eval/index.ts';
import type { SystemName } from '../packages/benchmark/src/eval/index.ts';

const page = 'docs/benchmark.md';
const place = /(?<=^<!-- measured -->\n)[\s\S]*?(?=^<!-- \/measured -->$)/m;
const names: Record<Exclude<SystemName, 'model'>, string> = {
  nothing: '`nothing`',
  prose: '`prose`',
  'raw-log': '`raw-log`',
  append: '`append`',
  solutions: 'the solutions',
};

async function measure(who: Exclude<SystemName, 'model'>): Promise<string> {
  const rows = await evaluateFiling({
    data: 'packages/benchmark/data/filing',
    who,
    environment: readEnvironment({ PATH: process.env['PATH'] }),
    hasPrices: false,
    onProgress: (done, total) => {
      if (done % 20 === 0) console.log(`${who}: ${done} of ${total}`);
    },
  });
  const figures = scenarioSets.flatMap((set) => {
    const { scenarios, strict, score } = summarizeRun(rows.filter((row) => row.set === set));
    const interval = `${strict.low.toFixed(2)} to ${strict.high.toFixed(2)}`;
    return scenarios === 0 ? ['-', '-', '-'] : [strict.mean.toFixed(3), interval, score.mean.toFixed(3)];
  });
  return `| ${[names[who], ...figures].join(' | ')} |`;
}

const lines = [
  '| | Single: strict | interval | normalised | Sequences: strict | interval | normalised |',
  '| --- | --: | --: | --: | --: | --: | --: |',
];
for (const who of [...baselineNames, 'solutions'] as const) lines.push(await measure(who));
const text = readFileSync(page, 'utf8');
const [measured] = place.exec(text) ?? [];
if (measured === undefined) throw new Error(`${page} has no marker for the results`);
// Rows of other systems, such as a model, were measured with other commands.
const own = new Set(['', '---', ...Object.values(names)]);
lines.push(
  ...measured.split('\n').filter((line) => line !== '' && !own.has(line.split('|')[1]?.trim() ?? '')),
);
writeFileSync(
  page,
  text.replace(place, () => `\n${lines.join('\n')}\n\n`),
);
