import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { bundledIn, licencesOf } from '../scripts/licences.ts';
import {
  bundleManifest,
  formula,
  mcpName,
  notesFor,
  publishedPackage,
  serverJson,
} from '../scripts/release-files.ts';
import type { Package } from '../scripts/release-files.ts';

const source = JSON.parse(readFileSync('packages/vault/package.json', 'utf8')) as Package;
const repository = 'someone/keepsake';

it('the package and the MCP registry use the same name, within the limits of the registry', () => {
  const server = serverJson(source, repository) as { name: string; description: string; packages: object[] };
  expect(server.name).toBe('io.github.someone/keepsake-vault');
  expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(server.description.length).toBeLessThanOrEqual(100);
  expect(server.packages).toMatchObject([{ identifier: source.name, version: source.version }]);
  expect(publishedPackage(source, repository)).toMatchObject({
    mcpName: mcpName(source, repository),
    repository: { url: 'git+https://github.com/someone/keepsake.git' },
    version: source.version,
  });
});

it('an MCP bundle starts its own program with the chosen folder', () => {
  const manifest = bundleManifest(source, repository, 'darwin-arm64', '>=24');
  expect(manifest).toMatchObject({
    server: {
      entry_point: 'node_modules/keepsake-vault/dist/cli/main.js',
      mcp_config: {
        args: [
          '${__dirname}/node_modules/keepsake-vault/dist/cli/main.js',
          'mcp',
          '--vault',
          '${user_config.vault}',
        ],
      },
    },
    compatibility: { platforms: ['darwin'], runtimes: { node: '>=24' } },
  });
});

it('the Homebrew formula names the released file and its hash', () => {
  const text = formula(source, repository, { file: 'keepsake-1.tgz', sha256: 'abc' });
  expect(text).toContain(`/someone/keepsake/releases/download/v${source.version}/keepsake-1.tgz"`);
  expect(text).toContain('sha256 "abc"');
});

it('the release notes of a version are its section of the changelog', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\nsoon\n\n## 1.2.0 (2026-01-01)\n\nnow\n\n### Added\n\nmore\n\n## 1.1.0\n\nold\n';
  expect(notesFor(changelog, '1.2.0')).toBe('now\n\n### Added\n\nmore');
  expect(notesFor(changelog, 'Unreleased')).toBe('soon');
  expect(notesFor(changelog, '1.2')).toBeUndefined();
  expect(notesFor(readFileSync('CHANGELOG.md', 'utf8'), '0.2.0')).toContain('### Added');
});

it('GitHub workflows and issue forms are valid YAML, and every script that a workflow runs exists', () => {
  const files = globSync('.github/**/*.yml');
  expect(files.length).toBeGreaterThan(4);
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    expect(parse(text)).toBeTypeOf('object');
    for (const [, script = ''] of text.matchAll(/npm run (?:--\S+ )?([\w-]+)/g))
      expect(Object.keys(scripts)).toContain(script);
  }
});

it('bundled packages come with their licences, and are listed in the release', () => {
  const modules = ['yaml/dist/index.js', '@ai-sdk/openai/dist/index.js', '@ai-sdk/openai/dist/x.js'];
  const chunk = { type: 'chunk', moduleIds: modules.map((each) => resolve('node_modules', each)) };
  const licences = licencesOf([
    chunk,
    { type: 'chunk', moduleIds: [resolve('packages/vault/src/cli/main.ts')] },
  ]);
  expect(licences).toContain('Permission to use, copy, modify');
  expect(licences).toContain('Apache License');
  expect(bundledIn(licences)).toMatchObject([
    { name: '@ai-sdk/openai', purl: expect.stringMatching(/^pkg:npm\/%40ai-sdk\/openai@\d/) as string },
    { name: 'yaml' },
  ]);
});
