import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenLinks } from '../scripts/broken-links.ts';
import { temporaryFolder } from './temporary-vault.ts';

function siteOf(pages: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, html] of Object.entries(pages)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), html);
  }
  return folder;
}

describe('links of the site', () => {
  const pages = {
    'index.html':
      '<h1 id="début">x</h1><a href="#d%C3%A9but">a</a><a href="/name/docs/a.html#b">b</a><a href="https://example.org/no">c</a>',
    'docs/a.html':
      '<h2 id="b">x</h2><a href="../">a</a><a href="/name/">b</a><a href="./a.json">c</a><img src="p.png">',
    'docs/a.json': '{}',
    'docs/p.png': '',
  };

  it('are not reported when they lead to existing files and headings', () => {
    expect(brokenLinks(siteOf(pages), '/name')).toEqual({ links: 6, broken: [] });
  });

  it('are reported when they are broken', () => {
    const { broken } = brokenLinks(
      siteOf({
        ...pages,
        'docs/b.html':
          '<a href="a.html#c">a</a><a href="c.html">b</a><a href="/other/">c</a><img src="q.png">',
      }),
      '/name',
    );
    expect(broken).toEqual([
      'docs/b.html links to a.html#c, which has no such heading',
      'docs/b.html links to c.html, which does not exist',
      'docs/b.html links to /other/, which does not exist',
      'docs/b.html links to q.png, which does not exist',
    ]);
  });

  it('are checked when the site is built, and a broken one fails the build', () => {
    const folder = temporaryFolder();
    for (const name of [
      'docs',
      'scripts',
      'packages/vault/src/web/public',
      'package.json',
      'tsconfig.json',
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'GLOSSARY.md',
      'SECURITY.md',
      'AGENTS.md',
      'README.fr.md',
      'llms.txt',
    ])
      cpSync(name, join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'README.md'), '# Keepsake\n\n[How](docs/nowhere.md)\n');
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const { status, stderr } = spawnSync(process.execPath, ['scripts/site.ts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).toContain('README.md links to docs/nowhere.md, which does not exist');
    expect(status).toBe(1);
  });
});
