import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import type { Keepsake } from '../packages/vault/src/app/index.ts';
import { renderTreeFile } from '../packages/vault/src/changes/index.ts';
import { laidOut, layOut, temporaryFolder } from './temporary-vault.ts';
import type { Files } from './temporary-vault.ts';

/** A folder that is opened by one process after the other, as commands do. */
function place(files: Files) {
  const root = temporaryFolder();
  const [vault, state] = [join(root, 'vault'), join(root, 'state')];
  mkdirSync(vault);
  layOut(vault, files);
  const environment = readEnvironment({ PATH: process.env['PATH'] });
  return {
    vault,
    tree: () => (existsSync(join(vault, 'tree.md')) ? readFileSync(join(vault, 'tree.md'), 'utf8') : null),
    run: async (work: (keepsake: Keepsake) => Promise<unknown>): Promise<void> => {
      const keepsake = await openKeepsake({ vault, state, environment });
      try {
        await work(keepsake);
      } finally {
        await keepsake.close();
      }
    },
  };
}

const call =
  (tool: string, input: unknown) =>
  ({ callTool }: Keepsake) =>
    callTool({ tool, input, reader: 'person', origin: 'test' });

it('a process that changed a file leaves tree.md up to date', async () => {
  const { run, tree } = place(laidOut);
  await run(call('write', { path: 'bucket/new.md', content: 'text\n' }));
  expect(tree()).toContain('new.md');
  let fresh = '';
  await run(async ({ catalogue }) => (fresh = renderTreeFile(await catalogue.contents())));
  expect(tree()).toBe(fresh);
  await run(call('delete', { path: 'bucket/new.md' }));
  expect(tree()).not.toContain('new.md');
});

it('a process that only reads does not scan the vault and leaves tree.md unchanged', async () => {
  const { vault, run, tree } = place(laidOut);
  await run(call('write', { path: 'bucket/new.md', content: 'text\n' }));
  const before = tree();
  writeFileSync(join(vault, 'outside.md'), 'text\n');
  let scans = 0;
  await run(async (keepsake) => {
    await call('read', { paths: 'outside.md' })(keepsake);
    keepsake.catalogue.contents = () => {
      scans += 1;
      throw new Error('unexpected scan');
    };
  });
  expect(tree()).toBe(before);
  expect(scans).toBe(0);
});

it('an adopted folder gets no tree.md, unless it was requested', async () => {
  const { vault, run, tree } = place({ 'a.md': 'a\n' });
  await run(call('write', { path: 'b.md', content: 'b\n' }));
  expect(tree()).toBeNull();
  writeFileSync(join(vault, 'tree.md'), '');
  await run(call('write', { path: 'c.md', content: 'c\n' }));
  expect(tree()).toContain('c.md');
});

it('a tree.md that Keepsake did not create is not overwritten', async () => {
  const { run, tree } = place({ ...laidOut, 'tree.md': '# Oaks\n' });
  await run(call('write', { path: 'b.md', content: 'b\n' }));
  expect(tree()).toBe('# Oaks\n');
});
