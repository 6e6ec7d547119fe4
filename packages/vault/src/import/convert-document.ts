import { availableParallelism } from 'node:os';
import { packageVersion } from '../app/index.ts';
import { createIntake, documentWarnings, packDocument, uniqueStems } from '../intake/index.ts';
import type { Document, Intake, Sandbox } from '../intake/index.ts';
import { portableStem } from '../vault/index.ts';
import { digestOf } from './candidate.ts';
import type { Built } from './candidate.ts';
import type { ConversionCache } from './conversion-cache.ts';

/** Several at once; recordings are not listened to. */
export type Converters = {
  convert(document: Document, stem: string): Promise<Built>;
  close(): void;
};

const mostProcesses = 4;

export function openConverters(cache: ConversionCache, signal: AbortSignal, sandbox: Sandbox): Converters {
  const idle: Intake[] = [];
  const all: Intake[] = [];
  const waiting: ((intake: Intake) => void)[] = [];
  const most = Math.min(mostProcesses, availableParallelism());
  const take = async (): Promise<Intake> => {
    const free = idle.pop();
    if (free !== undefined) return free;
    if (all.length === most) return new Promise((resolve) => waiting.push(resolve));
    const started = createIntake({ sandbox });
    all.push(started);
    return started;
  };
  const giveBack = (intake: Intake): void => {
    const next = waiting.shift();
    if (next === undefined) idle.push(intake);
    else next(intake);
  };
  return {
    async convert(document, stem) {
      signal.throwIfAborted();
      const key = digestOf(JSON.stringify([packageVersion(), document.name, stem, digestOf(document.bytes)]));
      const found = cache.find(key, document.bytes);
      if (found !== null) return found;
      const intake = await take();
      try {
        const taken = await intake.takeIn(document, stemsWithin(stem), signal);
        const built: Built =
          taken.outcome.kind === 'refused'
            ? { kind: 'refused', reason: taken.outcome.reason }
            : { kind: 'built', files: packDocument(taken), warnings: documentWarnings(taken) };
        cache.keep(key, document.bytes, built);
        return built;
      } finally {
        giveBack(intake);
      }
    },
    close: () => all.forEach((intake) => intake.close()),
  };
}

/** The document has this stem, and what lies in it one that begins so: it cannot be in the way of another document. */
function stemsWithin(stem: string): (name: string) => string {
  let isFirst = true;
  return uniqueStems((name) => {
    const wanted = isFirst ? stem : `${stem}-${portableStem(name)}`;
    isFirst = false;
    return wanted;
  });
}
