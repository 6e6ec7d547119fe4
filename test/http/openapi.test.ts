import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packageVersion } from '../../packages/vault/src/app/index.ts';
import { api } from '../../packages/vault/src/contract/index.ts';
import { httpVault } from './http-vault.ts';

type Document = {
  info: { version: string };
  paths: Record<string, Record<string, { parameters?: { in: string; name: string }[]; summary: string }>>;
};

describe('the description of the service', () => {
  it('in docs/ is the one that is served', async () => {
    const vault = await httpVault();
    const served = await vault.get<Document>('//openapi.json', { token: null });
    served.info.version = packageVersion();
    expect(JSON.parse(readFileSync('docs/reference/openapi.json', 'utf8'))).toEqual(served);
  });

  it('names every parameter that its paths have', async () => {
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

  it('and docs/connect/http.md name every code of a problem', () => {
    const page = readFileSync('docs/connect/http.md', 'utf8');
    for (const [code, status] of Object.entries(api.problemStatus))
      expect(page).toContain(`| ${status} | \`${code}\` |`);
  });
});
