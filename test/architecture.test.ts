import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

type Import = { from: string; to: string; names: string[] };

const files = globSync('src/**/*.{ts,tsx}').filter((file) => !file.endsWith('.test.ts'));
const imports = files.flatMap(importsOf);
const inside = imports.filter(({ to }) => to.startsWith('src/'));
const roomOf = (file: string): string => file.split('/')[1] ?? '';

/** Every import and re-export, static and dynamic, types included. */
function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8');
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const resolve = (target: string): string =>
    target.startsWith('.') ? normalize(join(dirname(file), target)) : target;
  const statics = module.staticImports.map(({ moduleRequest, entries }) => ({
    from: file,
    to: resolve(moduleRequest.value),
    names: entries.map(({ importName }) => importName.name ?? '*'),
  }));
  const reexports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) =>
      moduleRequest ? [{ from: file, to: resolve(moduleRequest.value), names: [] }] : [],
    ),
  );
  const dynamics = module.dynamicImports.map(({ moduleRequest }) => {
    const text = source.slice(moduleRequest.start, moduleRequest.end);
    return { from: file, to: resolve(text.slice(1, -1)), names: ['*'] };
  });
  return [...statics, ...reexports, ...dynamics];
}

/** The table «Room | May import» of ARCHITECTURE.md. */
function allowedImports(): Map<string, string[]> {
  const rows = [...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)];
  return new Map(
    rows.map(([, room = '', list = '']) => [
      room,
      [...list.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    ]),
  );
}

describe('the rooms', () => {
  it('are the ones in the table of ARCHITECTURE.md', () => {
    expect([...allowedImports().keys()].toSorted()).toEqual([...new Set(files.map(roomOf))].toSorted());
  });

  it('import only what the table allows', () => {
    const allowed = allowedImports();
    const wrong = inside.filter(
      ({ from, to }) => roomOf(from) !== roomOf(to) && !allowed.get(roomOf(from))?.includes(roomOf(to)),
    );
    expect(wrong).toEqual([]);
    expect(inside.length).toBeGreaterThan(50);
  });

  it('are entered through their index.ts', () => {
    const wrong = inside.filter(
      ({ from, to }) => roomOf(from) !== roomOf(to) && to !== `src/${roomOf(to)}/index.ts`,
    );
    expect(wrong).toEqual([]);
  });

  it('have no cycle among their files', () => {
    const targets = new Map(
      files.map((file) => [file, inside.filter(({ from }) => from === file).map(({ to }) => to)]),
    );
    const done = new Set<string>();
    const visit = (file: string, trail: string[]): void => {
      if (trail.includes(file)) throw new Error(`cycle: ${[...trail, file].join(' → ')}`);
      if (done.has(file)) return;
      for (const next of targets.get(file) ?? []) visit(next, [...trail, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(done.size).toBe(files.length);
  });
});

describe('the invariants', () => {
  const writers =
    /^(write|append|mkdir|rm|rename|link|symlink|unlink|copyFile|cp|truncate|ftruncate|chmod|chown|utimes|createWriteStream|open|\*)/;

  it('only vault/ changes files of the vault; others write only their own state, models and backups', () => {
    const usesFileSystem = imports.filter(({ to }) => /^(node:)?fs(\/promises)?$/.test(to));
    const mayUse = (file: string): boolean =>
      ['vault', 'app', 'eval', 'cli'].includes(roomOf(file)) ||
      file.startsWith('src/server/web/') ||
      file.startsWith('src/search/models/') ||
      file === 'src/intake/memory-of.ts' ||
      file === 'src/agents/read-prompt.ts';
    expect(usesFileSystem.filter(({ from }) => !mayUse(from))).toEqual([]);
    const writing = usesFileSystem.filter(({ names }) => names.some((name) => writers.test(name)));
    const outside = writing.filter(({ from }) => roomOf(from) !== 'vault').map(({ from }) => from);
    expect([...new Set(outside)].toSorted()).toEqual([
      'src/app/agent-model.ts',
      'src/app/backup.ts',
      'src/app/change-configuration.ts',
      'src/app/clients/change-file.ts',
      'src/app/databases.ts',
      'src/app/import/conversion-cache.ts',
      'src/app/search-host.ts',
      'src/app/state-folder.ts',
      'src/cli/demo.ts',
      'src/cli/eval.ts',
      'src/eval/answers.ts',
      'src/eval/filing.ts',
      'src/eval/retrieval.ts',
      'src/search/models/download.ts',
      'src/search/models/local-embedder.ts',
      'src/search/models/runtime.ts',
    ]);
  });

  it('only models, the server and the browser reach for the network, and only search/qmd for QMD', () => {
    const isModels = (file: string): boolean =>
      file.startsWith('src/search/models/') || ['agents', 'server', 'web'].includes(roomOf(file));
    const network = /^(node:)?(net|http|https|http2|tls|dgram|dns)(\/.*)?$/;
    expect(imports.filter(({ to }) => network.test(to))).toEqual([]);
    const reaching = files.filter((file) => /\bfetch\(|WebSocket/.test(readFileSync(file, 'utf8')));
    expect(reaching.filter((file) => !isModels(file))).toEqual([]);
    expect(imports.filter(({ from, to }) => /^(ai$|@ai-sdk\/)/.test(to) && !isModels(from))).toEqual([]);
    expect(imports.filter(({ to }) => to.startsWith('@tobilu/')).map(({ from }) => from)).toEqual([
      'src/search/qmd/vendor.ts',
    ]);
  });

  it('only app/ reads the environment', () => {
    const readers = files.filter((file) => /process\.env|node:process/.test(readFileSync(file, 'utf8')));
    expect(readers.filter((file) => roomOf(file) !== 'app' && file !== 'src/cli/main.ts')).toEqual([]);
    expect(readers).toContain('src/app/environment.ts');
  });

  it('contract/ imports nothing but zod, so that a browser can load it', () => {
    const outside = imports.filter(
      ({ from, to }) => roomOf(from) === 'contract' && !to.startsWith('src/contract/'),
    );
    expect(new Set(outside.map(({ to }) => to))).toEqual(new Set(['zod']));
  });

  it('no module keeps state of its own', () => {
    const keepers = files.filter((file) => /^(?:export )?(?:let|var) /m.test(readFileSync(file, 'utf8')));
    expect(keepers).toEqual([]);
  });

  it('a view has no method that writes', () => {
    const [, body = ''] =
      /export type VaultView = \{([\s\S]*?)\n\};/.exec(readFileSync('src/vault/view.ts', 'utf8')) ?? [];
    const methods = [...body.matchAll(/^ {2}(\w+)[<(:?]/gm)].map(([, name]) => name);
    expect(methods).toEqual(['look', 'contents', 'closest']);
  });
});
