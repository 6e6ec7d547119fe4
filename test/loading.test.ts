import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { bundleProgram } from '../scripts/bundle.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

/** Prints every module that is loaded. */
const printModules = `data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module';
   registerHooks({ load: (url, context, next) => (process.stderr.write('loaded ' + url + '\\n'), next(url, context)) });`,
)}`;

// Matches installed packages and the vendored QMD file; our own modules around them are small.
const models = ['/node-llama-cpp/', '/node_modules/ai/', '/@ai-sdk/', '/@opentelemetry/'];
const parsers = ['/jsonc-parser/', '/toml-eslint-parser/'];
it.each([
  { command: ['read', 'a.md'], absent: [...models, ...parsers, '/@tobilu/qmd/', '/qmd/vendor.', '/koffi/'] },
  { command: ['tree'], absent: [...models, ...parsers, '/@tobilu/qmd/', '/qmd/vendor.', '/koffi/'] },
  { command: ['find', 'x'], absent: [...models, ...parsers, '/koffi/'] },
])('keepsake $command.0 loads no unused heavy modules', ({ command, absent }) => {
  const vault = temporaryFolder();
  layOut(vault, { 'a.md': '# A\nx\n' });
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      printModules,
      'packages/vault/src/cli/main.ts',
      ...command,
      '--vault',
      vault,
      '--state',
      temporaryFolder(),
    ],
    { encoding: 'utf8' },
  );
  const loaded = stderr.split('\n').filter((line) => line.startsWith('loaded '));
  expect(status).toBe(0);
  expect(loaded.length).toBeGreaterThan(50);
  expect(loaded.filter((line) => absent.some((part) => line.includes(part)))).toEqual([]);
});

it('a command that calls the serving process loads no package except the SQLite driver for the lock database', async () => {
  const { output } = await bundleProgram('vault', temporaryFolder());
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
  const loadedBy = (name: string): string[] => {
    const seen = new Set(
      [...chunks.values()].filter((chunk) => chunk.name === name).map(({ fileName }) => fileName),
    );
    for (const file of seen) for (const next of chunks.get(file)?.imports ?? []) seen.add(next);
    return [...seen].filter((file) => !file.startsWith('node:'));
  };
  const packages = (name: string): string[] => loadedBy(name).filter((file) => !chunks.has(file));
  for (const name of ['read', 'find', 'add', 'mcp'])
    expect([name, ...packages(name)]).toEqual([name, 'better-sqlite3']);
  for (const name of ['start', 'program', 'call-remote-tool'])
    expect([name, ...packages(name)]).toEqual([name]);
  expect(
    loadedBy('start').filter((file) => chunks.get(file)?.moduleIds.some((id) => id.includes('/zod/'))),
  ).toEqual([]);
  expect(loadedBy('start').length).toBeGreaterThan(1);
  const bundledIn = (name: string): string[] =>
    loadedBy(name).flatMap((file) => chunks.get(file)?.moduleIds ?? []);
  const brings = (name: string, library: string): boolean =>
    bundledIn(name).some((id) => id.includes(`node_modules/${library}/`));
  expect(brings('serve', '@hono/node-server')).toBe(true);
  // Loaded only with --public.
  for (const library of ['oidc-provider', '@simplewebauthn/server', 'openid-client'])
    expect([library, brings('serve', library)]).toEqual([library, false]);
});
