import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import type { GeneratedAnswerSet } from './answer-set.ts';
import type { GeneratedScenario } from './scenario.ts';

const folders = ['scenarios', 'sequences', 'vaults', 'inputs', 'solutions'];
/** The folder of a set with questions, in the layout that `keepsake-benchmark answers --data` reads. */
export const answersFolder = 'answers';

/** Writes scenarios in the layout that `keepsake-benchmark filing --data` reads. */
export function writeSet(
  folder: string,
  { singles, sequences }: { singles: readonly GeneratedScenario[]; sequences: readonly GeneratedScenario[] },
): void {
  for (const each of folders) mkdirSync(join(folder, each), { recursive: true });
  for (const [place, scenarios] of [
    ['scenarios', singles],
    ['sequences', sequences],
  ] as const)
    for (const generated of scenarios)
      for (const [path, text] of filesOf(place, generated)) write(join(folder, path), text);
}

/** Writes vaults and the questions about them, after the lines of other questions. */
export function writeAnswerSets(
  folder: string,
  sets: readonly GeneratedAnswerSet[],
  others: readonly string[] = [],
): void {
  for (const { name, vault } of sets)
    for (const [path, text] of vault) write(join(folder, 'vaults', name, path), text);
  const generated = sets.flatMap(({ questions }) => questions.map((question) => JSON.stringify(question)));
  write(join(folder, 'questions.jsonl'), `${[...others, ...generated].join('\n')}\n`);
}

/** Every file of a scenario, by its path within the set. */
function filesOf(
  place: 'scenarios' | 'sequences',
  { id, scenario, solution, vault, inputs }: GeneratedScenario,
): Map<string, string> {
  return new Map([
    [`${place}/${id}.yaml`, yaml(scenario)],
    [`solutions/${id}.yaml`, yaml(solution)],
    ...[...vault].map(([path, text]) => [`vaults/${id}/${path}`, text] as const),
    ...[...inputs].map(([name, text]) => [`inputs/${name}`, text] as const),
  ]);
}

/** Identifies a set: SHA-256 over the paths and bytes of all files, in the order of their paths. */
export function hashDataset(folder: string): { files: number; sha256: string } {
  const names = [...folders, answersFolder].flatMap((each) =>
    globSync(`${each}/**/*.{yaml,md,jsonl}`, { cwd: folder }),
  );
  const paths = names.map((path) => path.replaceAll('\\', '/')).toSorted();
  const hash = createHash('sha256');
  for (const path of paths) {
    const bytes = readFileSync(join(folder, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return { files: paths.length, sha256: hash.digest('hex') };
}

function yaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
