import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPackageVersion } from '../../packages/vault/src/app/index.ts';
import { api } from '../../packages/vault/src/contract/index.ts';
import { httpVault } from './http-vault.ts';

type Document = {
  info: { version: string };
  paths: Record<string, Record<string, { parameters?: { in: string; name: string }[]; summary: string }>>;
};

describe('OpenAPI document', () => {
  it('in docs/ matches the served one', async () => {
    const vault = await httpVault();
    const served = await vault.get<Document>('//openapi.json', { token: null });
    served.info.version = readPackageVersion();
    expect(JSON.parse(readFileSync('docs/reference/openapi.json', 'utf8'))).toEqual(served);
  });

  it('describes every path parameter', async () => {
    const vault = await httpVault();
    const { paths } = await vault.get<Document>('//openapi.json');
    for (const [path, item] of Object.entries(paths))
      for (const { parameters = [], summary } of Object.values(item)) {
        const named = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
        expect(named.toSorted()).toEqual(
          [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name).toSorted(),
        );
        expect(summary).not.toBe('');
      }
  });

  it('has all its problem codes listed in docs/connect/http.md', () => {
    const page = readFileSync('docs/connect/http.md', 'utf8');
    for (const [code, status] of Object.entries(api.problemStatus))
      expect(page).toContain(`| ${status} | \`${code}\` |`);
  });
});
