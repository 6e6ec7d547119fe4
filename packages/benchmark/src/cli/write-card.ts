import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { createResultCard, hashFolder } from '../eval/index.ts';
import type { CardFacts, EvaluationRun } from '../eval/index.ts';
import { readBenchmarkVersion } from './read-version.ts';

type CardOptions = {
  card?: string;
  who: string;
  data: string;
  only?: string;
  set?: string;
  runs?: number;
  withoutLayout?: boolean;
  timeout: number;
};

/** Starts to measure the time of a run, and returns a function that writes its result card if one is wanted. */
export function startCard(
  { environment }: Cli,
  kind: EvaluationRun['kind'],
  { card, who, data, only, set, runs = 1, timeout, withoutLayout = false }: CardOptions,
): (run: EvaluationRun, described?: CardFacts['described']) => void {
  const since = performance.now();
  const cpuBefore = process.cpuUsage();
  return (run, described) => {
    if (card === undefined) return;
    const { user, system } = process.cpuUsage(cpuBefore);
    const facts = {
      benchmark: readBenchmarkVersion(),
      // A command or a file is named without its folder.
      system: who
        .split(' ')
        .map((part) => basename(part))
        .join(' '),
      ...(described !== undefined && { described }),
      options: {
        command: kind,
        ...(only !== undefined && { only }),
        ...(set !== undefined && { set }),
        runs,
        ...(withoutLayout && { withoutLayout: 1 }),
        timeout,
      },
      data: hashFolder(data),
      seconds: (performance.now() - since) / 1000,
      cpuSeconds: (user + system) / 1e6,
    };
    const text = JSON.stringify(createResultCard(run, facts), null, 2);
    writeFileSync(environment.resolve(card), `${text}\n`);
  };
}
