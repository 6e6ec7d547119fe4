import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

type Manifest = { version: string; dependencies: Record<string, string>; optionalDependencies: object };

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest;
const product = manifestOf('packages/vault');

it.each(['service', 'benchmark'])(
  'keepsake-%s installs what the product code in its bundle needs',
  (name) => {
    const { version, dependencies, optionalDependencies } = manifestOf(`packages/${name}`);
    expect(dependencies).toMatchObject(product.dependencies);
    expect(optionalDependencies).toEqual(product.optionalDependencies);
    expect(version).toBe(product.version);
  },
);

it('the product installs no database server client, no object store client and no telemetry', () => {
  expect(Object.keys(product.dependencies).filter((name) => /pg|aws|opentelemetry/.test(name))).toEqual([]);
  expect(manifestOf('.').version).toBe(product.version);
});
