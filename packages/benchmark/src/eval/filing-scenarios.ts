import { existsSync, readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../vault/src/app/index.ts';
import { markdownIn } from './read-notes.ts';
import { readYaml } from './read-yaml.ts';
import { isRegularExpression } from './text-matcher.ts';

const regex = z.string().refine(isRegularExpression, 'is not a regular expression');

/** Either a text, compared without regard to case, accents and whitespace, or a regular expression. */
const matcherFields = {
  text: z.string().trim().min(1).optional(),
  pattern: regex.optional(),
};
const isOne = ({ text, pattern }: { text?: string | undefined; pattern?: string | undefined }): boolean =>
  (text === undefined) !== (pattern === undefined);
const eitherOr = 'needs either text or pattern';

const fact = z
  .strictObject({ ...matcherFields, in: z.array(z.string()).min(1), times: z.int().min(0).default(1) })
  .refine(isOne, eitherOr);

/** What a scenario tests, for selection and statistics. */
const tags = [
  'supersede',
  'duplicate',
  'relative-date',
  'transcript',
  'inbox',
  'injection',
  'image',
  'multi-project',
  'new-project',
  'task',
  'profile',
  'correction',
  'unchanged',
  'mixed',
  'long',
  'partial',
  'gutting',
  'invention',
  'receipt',
  'holding',
  'forgetting',
  'secret',
  'adopted',
  'nothing-to-keep',
  'people',
  'time',
] as const;

const question = z.strictObject({
  question: z.string().trim().min(1),
  /** Each must be in a line that the answer shows. */
  evidence: z.array(z.strictObject(matcherFields).refine(isOne, eitherOr)).min(1),
  /** Outdated facts, which the answer may show only together with the evidence. */
  outdated: z.array(z.strictObject(matcherFields).refine(isOne, eitherOr)).default([]),
});

const scenario = z.strictObject({
  id: z.string(),
  language: z.enum(['fr', 'en', 'de']),
  about: z.string(),
  tags: z.array(z.enum(tags)).default([]),
  vault: z.string(),
  /** Files that are added to the vault before the first input; they replace files with the same path. */
  files: z.record(z.string(), z.string()).default({}),
  /** Filed one after the other. */
  inputs: z
    .array(
      z.strictObject({
        text: z.string(),
        files: z.array(z.string()).default([]),
        source: z.enum(['person', 'other']).default('person'),
        inboxRef: z.string().optional(),
        /** The clock is set to this time before the input; by default it just continues. */
        at: z.iso.datetime({ local: true }).optional(),
        /**
         * When the statement was made. This is only for readers of the scenario, because the text contains the date,
         * too.
         */
        said: z.iso.date().optional(),
      }),
    )
    .min(1)
    .refine(isChronological, 'the time of an input is before that of an earlier one'),
  /** Words that the user wants to be forgotten after all inputs. */
  forget: z.array(z.string().trim().min(3)).default([]),
  expect: z.strictObject({
    facts: z.array(fact).default([]),
    gone: z.array(z.strictObject({ ...matcherFields, in: z.string() }).refine(isOne, eitherOr)).default([]),
    kept: z.array(z.strictObject({ text: z.string().trim().min(1), in: z.string() })).default([]),
    untouched: z.array(z.string()).default([]),
    inbox: z.enum(['none', 'new', 'answered', 'still-open']).optional(),
    held: z.boolean().default(false),
    changelogEntries: z.int().min(0).optional(),
    /** Whether every sentence of the inputs that states a fact has to be somewhere. */
    complete: z.boolean().default(false),
    /** Secrets of the inputs, which must be stored nowhere. */
    secrets: z.array(z.string().min(4)).default([]),
    /** Names, numbers and dates that may be written although no input contains them, such as the date of “Friday”. */
    allowed: z.array(z.string().trim().min(1)).default([]),
    /** Questions for the search agent after all inputs. */
    questions: z.array(question).default([]),
  }),
});

/** The inputs for the update agent, the initial vault, and what must and must not be true afterwards. */
export type Scenario = z.infer<typeof scenario>;

/** The folders of scenarios: single notes, and long sequences on one growing vault. */
export const scenarioSets = ['scenarios', 'sequences'] as const;
export type ScenarioSet = (typeof scenarioSets)[number];

/** Reads the scenarios in `<folder>/<set>/`, ordered by file name. Throws for the first invalid one. */
export function readScenarios(folder: string, set: ScenarioSet = 'scenarios'): Scenario[] {
  const from = join(folder, set);
  const names = existsSync(from) ? readdirSync(from).filter((name) => name.endsWith('.yaml')) : [];
  return names.toSorted().map((name) => readScenario(folder, set, name));
}

/** The text of each initial file of a scenario, by its path within the vault. */
export function initialFiles(folder: string, { vault, files }: Scenario): Map<string, string> {
  const root = join(folder, 'vaults', vault);
  return new Map([...markdownIn(root), ...Object.entries(files)].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function readScenario(folder: string, set: ScenarioSet, name: string): Scenario {
  const file = join(folder, set, name);
  const read = readYaml(file, scenario);
  const problem = validateScenario(folder, parse(name).name, read);
  if (problem !== null) throw new AppError('bad-input', `${file}: ${problem}`);
  return read;
}

function isChronological(inputs: readonly { at?: string | undefined }[]): boolean {
  const times = inputs.flatMap(({ at }) => at ?? []);
  return times.every((at, index) => index === 0 || at >= (times[index - 1] ?? ''));
}

function validateScenario(folder: string, name: string, { id, vault, inputs }: Scenario): string | null {
  if (id !== name) return `the id is ${id}, but the file name is ${name}`;
  if (!existsSync(join(folder, 'vaults', vault))) return `vault ${vault} does not exist`;
  const missing = inputs
    .flatMap(({ files }) => files)
    .find((input) => !existsSync(join(folder, 'inputs', input)));
  return missing === undefined ? null : `there is no input ${missing}`;
}
