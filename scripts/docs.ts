// npm run docs: writes the parts of docs/ that come from the code. With --check it only compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { buildProgram } from '../src/cli/program.ts';
import { tools } from '../src/tools/index.ts';
import type { Tool } from '../src/tools/index.ts';

const isCheck = process.argv.includes('--check');
let outdated = 0;

function put(file: string, text: string): void {
  const present = readFileSync(file, { encoding: 'utf8', flag: 'a+' });
  if (present === text) return;
  outdated += 1;
  if (isCheck) console.error(`${file} is not up to date; run: npm run docs`);
  else writeFileSync(file, text);
}

function cliReference(): string {
  const program = buildProgram(() => undefined);
  const pages = [program, ...program.commands].map((command) => {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) }).configureHelp({ helpWidth: 100 });
    command.outputHelp();
    const name = command === program ? 'keepsake' : `keepsake ${command.name()}`;
    return `## ${name}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`;
  });
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

const generated = /(<!-- generated: parameters -->\n)[\s\S]*?(<!-- \/generated -->)/;

put('docs/cli.md', cliReference());
for (const tool of tools) {
  const file = `docs/tools/${tool.name}.md`;
  const page = readFileSync(file, 'utf8');
  if (!generated.test(page)) throw new Error(`${file} has no place for generated parameters`);
  put(
    file,
    page.replace(
      generated,
      (_, before: string, after: string) => `${before}\n${parameters(tool)}\n\n${after}`,
    ),
  );
}
process.exitCode = isCheck && outdated > 0 ? 1 : 0;
