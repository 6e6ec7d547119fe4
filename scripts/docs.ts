// npm run docs: writes the parts of docs/ that are generated from the code. With --check it only compares them.
// Each part starts with one of these markers and ends with <!-- /generated -->. Examples use docs/example-vault.
//   On any page:
//     <!-- generated: example <tool> <json input> -->: a tool call and its result
//     <!-- generated: command <arguments of keepsake> -->: a command and its output
//     <!-- generated: answer <json of the search, overview and files that a model chose> -->: an answer
//     <!-- generated: scenarios <folder> -->: a description of the filing scenarios in a folder
//   On the page of a tool:
//     <!-- generated: parameters -->: a table of its parameters
// It also fails if a page in docs/fr/ has other headings, tables, numbers in tables or examples than the English page.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { formatDataCard } from '../packages/benchmark/src/eval/index.ts';
import { tools } from '../packages/vault/src/tools/index.ts';
import type { Tool } from '../packages/vault/src/tools/index.ts';
import { buildPrograms } from '../test/run-command.ts';
import { compareTranslation } from './compare-translation.ts';
import { openExampleVault } from './example-vault.ts';
import type { ChosenAnswer, ExampleVault } from './example-vault.ts';
import { codeBlock, fillPage } from './fill-page.ts';
import type { Produce } from './fill-page.ts';
import { drawLoop, drawRecall } from './pictures.ts';

type Call = ReturnType<ExampleVault['startRun']>;

const isCheck = process.argv.includes('--check');
let outdated = 0;
let differing = 0;

function put(file: string, text: string): void {
  const present = readFileSync(file, { encoding: 'utf8', flag: 'a+' });
  if (present === text) return;
  outdated += 1;
  if (isCheck) console.error(`${file} is not up to date; run: npm run docs`);
  else writeFileSync(file, text);
}

async function cliReference(): Promise<string> {
  const programs = await buildPrograms();
  const pages = programs.flatMap((program) =>
    [program, ...program.commands].map((command) => {
      let help = '';
      command.configureOutput({ writeOut: (text) => (help += text) }).configureHelp({ helpWidth: 100 });
      command.outputHelp();
      const name = command === program ? program.name() : `${program.name()} ${command.name()}`;
      return `## ${name}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`;
    }),
  );
  return `# Command line\n\nGenerated from the commands themselves (\`npm run docs\`); what they print with \`--help\`.\n\n${pages.join('\n')}`;
}

type Property = {
  description?: string;
  type?: string | string[];
  anyOf?: Property[];
  items?: Property;
  properties?: Record<string, Property>;
  required?: string[];
};

function parameters({ input }: Tool): string {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' }) as Property;
  const rows = Object.entries(properties).flatMap(([name, property]) =>
    rowsOf(name, property, required.includes(name)),
  );
  return ['| Parameter | Type | Required | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function rowsOf(name: string, property: Property, isRequired: boolean): string[] {
  const row = `| \`${name}\` | ${typeOf(property)} | ${isRequired ? 'yes' : 'no'} | ${property.description ?? ''} |`;
  const inner = property.items?.properties ?? {};
  const below = Object.entries(inner).flatMap(([key, value]) =>
    rowsOf(`${name}[].${key}`, value, property.items?.required?.includes(key) ?? false),
  );
  return [row, ...below];
}

function typeOf({ type, anyOf, items }: Property): string {
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  return type === 'array' ? `list of ${typeOf(items ?? {})}` : [type ?? 'any'].flat().join(' or ');
}

/** A tool call on the example vault, followed by its result. */
async function example(call: Call, argument: string): Promise<string> {
  const [, name = '', input = ''] = /^(\w+) (.*)$/.exec(argument) ?? [];
  const text = await call(name, JSON.parse(input));
  return `\`${name} ${input}\`\n\n${codeBlock('text', text)}`;
}

/** The examples of a page share one run and are executed in order. */
function producer(file: string, examples: ExampleVault): Produce {
  const call = examples.startRun();
  return async (kind, argument) => {
    if (kind === 'example') return example(call, argument);
    if (kind === 'answer')
      return codeBlock('markdown', await examples.answer(JSON.parse(argument) as ChosenAnswer));
    if (kind === 'scenarios') return formatDataCard(join(import.meta.dirname, '..', argument));
    if (kind === 'command')
      return codeBlock('console', `$ keepsake ${argument}\n${await examples.run(argument)}`);
    const tool = tools.find(({ name }) => file === pageOf(name));
    if (kind === 'parameters' && tool !== undefined) return parameters(tool);
    throw new Error(`${file}: unknown generated kind ${kind}`);
  };
}

const pageOf = (name: string): string => `docs/tools/${name}.md`;

put('docs/reference/commands.md', await cliReference());
for (const { name } of tools)
  if (!readFileSync(pageOf(name), 'utf8').includes('<!-- generated: parameters -->'))
    throw new Error(`${pageOf(name)} has no marker for generated parameters`);
const vault = await openExampleVault('docs/example-vault');
try {
  for (const file of globSync('docs/{*,fr/*,fr/tools/*,tools/*,use/*,connect/*,operate/*}.md').toSorted()) {
    const page = readFileSync(file, 'utf8');
    put(file, await fillPage(page, producer(file, vault)));
  }
  for (const file of globSync('docs/fr/**/*.md').toSorted()) {
    const [original, translated] = [file.replace('docs/fr/', 'docs/'), file].map((each) =>
      readFileSync(each, 'utf8'),
    );
    for (const difference of compareTranslation(original ?? '', translated ?? '')) {
      differing += 1;
      console.error(`${file} differs from the English page: ${difference}; translate what has changed`);
    }
  }
  put('docs/images/loop.svg', await drawLoop(vault.startRun()));
  put('docs/images/recall.svg', drawRecall(readFileSync('docs/benchmark.md', 'utf8')));
} finally {
  await vault.close();
}
process.exitCode = differing > 0 || (isCheck && outdated > 0) ? 1 : 0;
