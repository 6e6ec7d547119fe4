import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

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
