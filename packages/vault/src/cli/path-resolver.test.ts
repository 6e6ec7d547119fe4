import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { createPathResolver } from './path-resolver.ts';

it('reads the backslashes of a path on Windows, but not those of an escape', () => {
  const vault = realpathSync(temporaryFolder());
  mkdirSync(join(vault, 'A'));
  const resolver = createPathResolver(vault, join(vault, 'A'), 'win32');
  expect(
    ['.\\B\\note.md', '..\\x.md', 'vault\\x.md', 'a\\u{202e}.md'].map((typed) => resolver(typed)),
  ).toEqual(['vault/A/B/note.md', 'vault/x.md', 'vault/x.md', 'vault/A/a\\u{202e}.md']);
  expect(createPathResolver(vault, join(vault, 'A'), 'linux')('a\\n.md')).toBe('vault/A/a\\n.md');
});

it('keeps a path as it is when the current folder was deleted', () => {
  const resolver = createPathResolver(realpathSync(temporaryFolder()), null);
  expect(['x.md', './x.md', '../x.md', ''].map((typed) => resolver(typed))).toEqual([
    'x.md',
    './x.md',
    '../x.md',
    '',
  ]);
});
