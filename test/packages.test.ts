import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { doors, started } from '../scripts/bundle.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

type Manifest = { version: string; dependencies: Record<string, string>; optionalDependencies: object };

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest;
const product = manifestOf('packages/vault');

it.each(['service', 'benchmark'])(
  'keepsake-%s has the dependencies of the keepsake-vault code that it bundles',
  (name) => {
    const { version, dependencies, optionalDependencies } = manifestOf(`packages/${name}`);
    expect(dependencies).toMatchObject(product.dependencies);
    expect(optionalDependencies).toEqual(product.optionalDependencies);
    expect(version).toBe(product.version);
  },
);

it('keepsake-vault depends on no database server client, object store client or telemetry package', () => {
  expect(Object.keys(product.dependencies).filter((name) => /pg|aws|opentelemetry/.test(name))).toEqual([]);
  expect(manifestOf('.').version).toBe(product.version);
});

it('keepsake-vault contains every thread and process that it starts, and no bundle for benches', () => {
  const folder = temporaryFolder();
  const built = [...started, ...doors].map((name) => `dist/${name}.js`);
  layOut(folder, Object.fromEntries([...built, 'dist/doors/chunk.js'].map((path) => [path, '\n'])));
  copyFileSync('packages/vault/package.json', join(folder, 'package.json'));
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path).filter((path) => path.startsWith('dist/'));
  expect(paths.toSorted()).toEqual(started.map((name) => `dist/${name}.js`).toSorted());
});
