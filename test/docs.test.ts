import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeBlock, fillPage } from '../scripts/fill-page.ts';
import { tokensOf } from '../src/vault/frontmatter.ts';
import { temporaryFolder } from './temporary-vault.ts';

/** Compares a copy of the documentation, changed by `change`, with what the code gives. */
function check(change: (folder: string) => void, variables: Record<string, string> = {}) {
  const folder = temporaryFolder();
  cpSync('docs', join(folder, 'docs'), { recursive: true });
  change(join(folder, 'docs'));
  return spawnSync(process.execPath, [resolve('scripts/docs.ts'), '--check'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...variables },
  });
}

function replaceIn(file: string, text: string, by: string): void {
  const page = readFileSync(file, 'utf8');
  expect(page).toContain(text);
  writeFileSync(file, page.replace(text, by));
}

describe('generated places of a page', () => {
  const page = 'a\n<!-- generated: example read {"a": 1} -->\nold\n<!-- /generated -->\nb\n';

  it('are filled one after the other, and stay as they are when nothing changed', async () => {
    const asked: string[] = [];
    const produce = (kind: string, argument: string): Promise<string> => {
      asked.push(`${kind}: ${argument}`);
      return Promise.resolve(`new ${asked.length}`);
    };
    const filled = await fillPage(`${page}<!-- generated: parameters -->\n<!-- /generated -->\n`, produce);
    expect(filled).toBe(
      'a\n<!-- generated: example read {"a": 1} -->\n\nnew 1\n\n<!-- /generated -->\nb\n' +
        '<!-- generated: parameters -->\n\nnew 2\n\n<!-- /generated -->\n',
    );
    expect(asked).toEqual(['example: read {"a": 1}', 'parameters: ']);
    asked.length = 0;
    expect(await fillPage(filled, produce)).toBe(filled);
  });

  it.each([page.replace('<!-- /generated -->', ''), `<!-- generated: example x {} -->\n${page}`])(
    'must be closed: %j',
    async (open) => {
      await expect(fillPage(open, () => Promise.resolve(''))).rejects.toThrow('not closed');
    },
  );

  it('are fenced so that nothing in them ends the block', () => {
    expect(codeBlock('text', 'plain')).toBe('```text\nplain\n```');
    expect(codeBlock('text', '````x\na\n````')).toBe('`````text\n````x\na\n````\n`````');
  });
});

describe('the documentation', () => {
  it('is the same on another machine, in another zone and language, at any time and with other file times', () => {
    const { status, stderr } = check(() => undefined, { TZ: 'Pacific/Auckland', LANG: 'fr_FR.UTF-8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it('is refused when an example is not what the code gives', () => {
    const { status, stderr } = check((docs) =>
      replaceIn(join(docs, 'tools/read.md'), '(lines 20-24 of 24)', '(lines 20-24)'),
    );
    expect(stderr).toBe('docs/tools/read.md is not up to date; run: npm run docs\n');
    expect(status).toBe(1);
  });

  it('may have examples and commands on any page', () => {
    const { status, stderr } = check((docs) => {
      const marks = ['example tree {"depth": 0}', 'command tree --depth 0', 'unknown'];
      const [example, command, unknown] = marks.map(
        (mark) => `<!-- generated: ${mark} -->\n<!-- /generated -->\n`,
      );
      writeFileSync(join(docs, 'search.md'), example ?? '');
      writeFileSync(join(docs, 'vault.md'), command ?? '');
      writeFileSync(join(docs, 'zebra.md'), unknown ?? '');
    });
    expect(stderr).toMatch(/^docs\/search.md is not up to date.*\ndocs\/vault.md is not up to date/);
    expect(stderr).toContain('docs/zebra.md: nothing generates unknown');
    expect(status).toBe(1);
  });
});

describe('the example vault', () => {
  const folder = 'docs/example-vault';
  const notes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );

  it.each(notes)('has right stamps in %s', (name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const [, tokens] = /^---\ncreated: \S+\nupdated: \S+\ntokens: (\d+)\n[^]*?---\n\n/.exec(text) ?? [];
    expect(Number(tokens)).toBe(tokensOf(text));
  });
});
