import type { Environment } from '../../../vault/src/app/index.ts';
import { describeError } from '../../../vault/src/contract/index.ts';
import { withSystem } from './evaluate-system.ts';
import { operations } from './systems/memory-system.ts';
import type { Evidence, MemorySystem, SystemFactory } from './systems/memory-system.ts';

export type CheckedStep = { operation: string; isWell: boolean; detail: string };

const day = '2026-03-02T10:00:00';
const notePath = 'projects/boat/state.md';
const notes = new Map([[notePath, '# Boat\n\nThe mooring costs 340 € a year.\n']]);

/** Calls every operation of a system once, on a memory with one note. */
export async function checkSystem(start: SystemFactory, environment: Environment): Promise<CheckedStep[]> {
  const steps: CheckedStep[] = [];
  const step = async (operation: string, run: () => Promise<string>): Promise<void> => {
    const [isWell, detail] = await run().then(
      (text) => [true, text] as const,
      (error: unknown) => [false, describeError(error)] as const,
    );
    steps.push({ operation, isWell, detail });
  };
  await step('start', () =>
    withSystem({ start, environment }, async (system) => {
      for (const operation of operations)
        if (system.offers.has(operation)) await step(operation, () => tryOperation(system, operation));
      return `${system.name} ${system.version}, ${system.model ?? 'without a model'}`;
    }),
  );
  return steps;
}

function describeResults(results: readonly Evidence[]): string {
  const note = results.find(({ text }) => text.includes('340'));
  if (note === undefined) throw new Error('"mooring" is in the note that came with reset, but was not found');
  if (note.path !== undefined && note.path !== notePath)
    throw new Error(
      `the path is ${JSON.stringify(note.path)} and not that of reset, ${JSON.stringify(notePath)}: such evidence does not count; leave the path out instead`,
    );
  return `${results.length} ${results.length === 1 ? 'result' : 'results'}`;
}

async function tryOperation(system: MemorySystem, operation: (typeof operations)[number]): Promise<string> {
  switch (operation) {
    case 'reset':
      await system.reset({ language: 'en', at: day, files: notes });
      return `got ${notes.size} note`;
    case 'file': {
      const text = 'The berth is number 17 from May on.';
      const { outcome, receipt } = await system.file({ text, files: [], source: 'person', at: day });
      return `${outcome} ${receipt}`.trim();
    }
    case 'ask': {
      const { found, text, evidence } = await system.ask('Which number has the berth?', day);
      return `${found}: ${JSON.stringify(text)}, evidence: ${evidence.length}`;
    }
    case 'search':
      return describeResults(await system.search(['berth', 'mooring']));
    case 'forget':
      await system.forget('number 17');
      return 'done';
    case 'dump': {
      const files = await system.dump();
      const text = [...files.values()].join('\n');
      if (!text.includes('340')) throw new Error('the note that came with reset is not in it');
      if (system.offers.has('forget') && text.includes('number 17'))
        throw new Error('the words that were to be forgotten are still in it');
      return `${files.size} ${files.size === 1 ? 'text' : 'texts'}`;
    }
  }
  return operation satisfies never;
}
