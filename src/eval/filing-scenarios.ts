import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { YAMLParseError, parse as parseYaml } from 'yaml';
import { z } from 'zod';

const regex = z.string().refine(compiles, 'is not a regular expression');

/** Either words, compared without regard to case, accents and white space, or a regular expression. */
const wanted = {
  text: z.string().trim().min(1).optional(),
  pattern: regex.optional(),
};
const isOne = ({ text, pattern }: { text?: string | undefined; pattern?: string | undefined }): boolean =>
  (text === undefined) !== (pattern === undefined);
const eitherOr = 'needs either text or pattern';

const fact = z
  .strictObject({ ...wanted, in: z.array(z.string()).min(1), times: z.int().min(0).default(1) })
  .refine(isOne, eitherOr);

const scenario = z.strictObject({
  id: z.string(),
  language: z.enum(['fr', 'en']),
  about: z.string(),
  vault: z.string(),
  /** Laid over the vault before the first input. */
  files: z.record(z.string(), z.string()).default({}),
  /** Filed one after the other. */
  inputs: z
    .array(
      z.strictObject({
        text: z.string(),
        files: z.array(z.string()).default([]),
        source: z.enum(['person', 'other']).default('person'),
        inboxRef: z.string().optional(),
      }),
    )
    .min(1),
  expect: z.strictObject({
    facts: z.array(fact).default([]),
    gone: z.array(z.strictObject({ ...wanted, in: z.string() }).refine(isOne, eitherOr)).default([]),
    kept: z.array(z.strictObject({ text: z.string().trim().min(1), in: z.string() })).default([]),
    untouched: z.array(z.string()).default([]),
    inbox: z.enum(['none', 'new', 'answered', 'still-open']).optional(),
    held: z.boolean().default(false),
    changelogEntries: z.int().min(0).optional(),
  }),
});

/** What is handed to the update agent, in which vault, and what must and must not be true afterwards. */
export type Scenario = z.infer<typeof scenario>;

/** Every scenario of a folder with `scenarios/`, `vaults/` and `inputs/`, by file name; the first that is wrong throws. */
export function readScenarios(folder: string): Scenario[] {
  const names = readdirSync(join(folder, 'scenarios')).filter((name) => name.endsWith('.yaml'));
  return names.toSorted().map((name) => readScenario(folder, name));
}

/** The files a scenario starts with: path within the vault to text. */
export function startingFiles(folder: string, { vault, files }: Scenario): Map<string, string> {
  const root = join(folder, 'vaults', vault);
  const paths = globSync('**/*.md', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  const shared = paths.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);
  return new Map([...shared, ...Object.entries(files)].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function readScenario(folder: string, name: string): Scenario {
  const file = join(folder, 'scenarios', name);
  const parsed = scenario.safeParse(parseFile(file));
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`, { cause: parsed.error });
  const problem = problemOf(folder, parse(name).name, parsed.data);
  if (problem !== null) throw new Error(`${file}: ${problem}`);
  return parsed.data;
}

function parseFile(file: string): unknown {
  try {
    return parseYaml(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof YAMLParseError) throw new Error(`${file}: ${error.message}`, { cause: error });
    throw error;
  }
}

function problemOf(folder: string, name: string, { id, vault, inputs }: Scenario): string | null {
  if (id !== name) return `the id is ${id}, but the file is called ${name}`;
  if (!existsSync(join(folder, 'vaults', vault))) return `there is no vault ${vault}`;
  const missing = inputs
    .flatMap(({ files }) => files)
    .find((input) => !existsSync(join(folder, 'inputs', input)));
  return missing === undefined ? null : `there is no input ${missing}`;
}

function compiles(source: string): boolean {
  try {
    return new RegExp(source, 'iu').source !== '';
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
