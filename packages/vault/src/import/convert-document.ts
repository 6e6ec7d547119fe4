import { availableParallelism } from 'node:os';
import { readPackageVersion } from '../app/index.ts';
import { createIntake, documentWarnings, packDocument, uniqueStems } from '../intake/index.ts';
import type { Document, Intake, Sandbox } from '../intake/index.ts';
import { portableStem } from '../vault/index.ts';
import { sha256Hex } from './candidate.ts';
import type { ItemBuild } from './candidate.ts';
import type { ConversionCache } from './conversion-cache.ts';

/** Converts several documents concurrently; recordings are not transcribed. */
export type ConverterPool = {
  convert(document: Document, stem: string): Promise<ItemBuild>;
  close(): void;
};

const maxProcesses = 4;

export function createConverterPool(
  cache: ConversionCache,
  signal: AbortSignal,
  sandbox: Sandbox,
): ConverterPool {
  const idle: Intake[] = [];
  const all: Intake[] = [];
  const waiting: ((intake: Intake) => void)[] = [];
  const processLimit = Math.min(maxProcesses, availableParallelism());
  const acquire = async (): Promise<Intake> => {
    const free = idle.pop();
    if (free !== undefined) return free;
    if (all.length === processLimit) return new Promise((resolve) => waiting.push(resolve));
    const started = createIntake({ sandbox });
    all.push(started);
    return started;
  };
  const release = (intake: Intake): void => {
    const next = waiting.shift();
    if (next === undefined) idle.push(intake);
    else next(intake);
  };
  return {
    async convert(document, stem) {
      signal.throwIfAborted();
      const key = sha256Hex(
        JSON.stringify([readPackageVersion(), document.name, stem, sha256Hex(document.bytes)]),
      );
      const cached = cache.get(key, document.bytes);
      if (cached !== null) return cached;
      const intake = await acquire();
      try {
        const result = await intake.takeIn(document, stemsWithin(stem), { signal });
        const built: ItemBuild =
          result.outcome.kind === 'refused'
            ? { kind: 'refused', reason: result.outcome.reason }
            : { kind: 'built', files: packDocument(result), warnings: documentWarnings(result) };
        cache.set(key, document.bytes, built);
        return built;
      } finally {
        release(intake);
      }
    },
    close: () => all.forEach((intake) => intake.close()),
  };
}

/**
 * Names the document after this stem and prefixes embedded documents with it, so that their names cannot collide with
 * those of other documents.
 */
function stemsWithin(stem: string): (name: string) => string {
  let isFirst = true;
  return uniqueStems((name) => {
    const unique = isFirst ? stem : `${stem}-${portableStem(name)}`;
    isFirst = false;
    return unique;
  });
}
