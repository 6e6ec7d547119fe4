import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import type { EcmaScriptModule } from 'oxc-parser';

/** One import or re-export, static or dynamic, types included. `names` is `['*']` when the whole module is imported. */
export type Import = { from: string; to: string; names: string[] };

/** A function or method, with the line it starts on and how many lines it has. */
export type FunctionSize = { file: string; line: number; lines: number };

type Source = { text: string; module: EcmaScriptModule; functions: FunctionSize[] };

/** The sources of all packages, without tests. */
export const files = globSync('packages/*/src/**/*.{ts,tsx}').filter(
  (file) => !/\.(?:test|contract)\.ts$/.test(file),
);

const sources = new Map(files.map((file) => [file, parse(file)]));

export const imports: Import[] = files.flatMap(importsOf);

/** The imports whose target is one of our own files. */
export const inside = imports.filter(({ to }) => to.startsWith('packages/'));

/** Every function, nested ones and methods included. */
export const functions: FunctionSize[] = [...sources.values()].flatMap((source) => source.functions);

export function textOf(file: string): string {
  return sources.get(file)?.text ?? '';
}

/**
 * The part of the code that a file belongs to: `search` for `packages/vault/src/search/rank.ts`, `service/hosting` for
 * `packages/service/src/hosting/node.ts`.
 */
export function roomOf(file: string): string {
  const [, name, , room = ''] = file.split('/');
  return name === 'vault' ? room : `${name}/${room}`;
}

export function doorOf(room: string): string {
  const [name = '', folder] = room.includes('/') ? room.split('/') : ['vault', room];
  return `packages/${name}/src/${folder}/index.ts`;
}

/** The names that a file exports. */
export function exportsOf(file: string): string[] {
  return exportEntries(file).flatMap(({ exportName }) => exportName.name ?? []);
}

/** The file in which an exported name is defined, through any number of re-exports. */
export function originOf(file: string, name: string): string {
  const entry = exportEntries(file).find(({ exportName }) => exportName.name === name);
  if (entry === undefined) throw new Error(`${file} exports no ${name}`);
  if (entry.moduleRequest !== null) {
    const target = resolve(file, entry.moduleRequest.value);
    return entry.importName.name === null ? target : originOf(target, entry.importName.name);
  }
  // A name that is imported and then exported originates from its import.
  const imported = sources
    .get(file)
    ?.module.staticImports.flatMap(({ moduleRequest, entries }) =>
      entries.map((each) => ({ ...each, target: resolve(file, moduleRequest.value) })),
    )
    .find(({ localName, target }) => localName.value === entry.localName.name && sources.has(target));
  return imported?.importName.name == null ? file : originOf(imported.target, imported.importName.name);
}

function exportEntries(file: string): EcmaScriptModule['staticExports'][number]['entries'] {
  const source = sources.get(file);
  if (source === undefined) throw new Error(`file ${file} does not exist`);
  return source.module.staticExports.flatMap(({ entries }) => entries);
}

function parse(file: string): Source {
  const text = readFileSync(file, 'utf8');
  const { program, module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const measured: FunctionSize[] = [];
  const measure = ({ start, end }: { start: number; end: number }): void => {
    measured.push({
      file,
      line: text.slice(0, start).split('\n').length,
      lines: text.slice(start, end).split('\n').length,
    });
  };
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(program);
  return { text, module, functions: measured };
}

function resolve(file: string, target: string): string {
  return target.startsWith('.') ? normalize(join(dirname(file), target)) : target;
}

function importsOf(file: string): Import[] {
  const { text, module } = sources.get(file) as Source;
  const statics = module.staticImports.map(({ moduleRequest, entries }) => ({
    from: file,
    to: resolve(file, moduleRequest.value),
    names: entries.map(({ importName }) => importName.name ?? '*'),
  }));
  const reexports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, importName }) =>
      moduleRequest === null
        ? []
        : [{ from: file, to: resolve(file, moduleRequest.value), names: [importName.name ?? '*'] }],
    ),
  );
  const dynamics = module.dynamicImports.map(({ moduleRequest }) => {
    const target = text.slice(moduleRequest.start + 1, moduleRequest.end - 1);
    return { from: file, to: resolve(file, target), names: dynamicNames(text, target) };
  });
  return [...statics, ...reexports, ...dynamics];
}

/** The names imported by `const { a, b } = await import('…')` and `(await import('…')).a`. */
function dynamicNames(text: string, target: string): string[] {
  const call = `await import('${target}')`;
  const before = text.slice(0, text.indexOf(call));
  const taken = /\{([^{}]*)\} = $/.exec(before)?.[1];
  if (taken !== undefined) return taken.split(',').map((name) => name.trim());
  const [, name] = /^\)\.(\w+)/.exec(text.slice(before.length + call.length)) ?? [];
  return [name ?? '*'];
}
