import { describe, expect, it } from 'vitest';
import { linksIn } from './links.ts';
import { parseVaultPath } from './path.ts';
import type { VaultPath } from './path.ts';

const from = (parseVaultPath('projects/x/state.md') as { path: VaultPath }).path;
const targets = (text: string): unknown[] =>
  linksIn(text, from).map(({ target }) => (typeof target === 'string' ? target : `[[${target.name}]]`));

describe('links', () => {
  it.each([
    ['see [specs](bucket/specs.md)', ['vault/projects/x/bucket/specs.md']],
    ['[a](../y/a.md#part) and [b](/tasks.md)', ['vault/projects/y/a.md', 'vault/tasks.md']],
    ['[a](<my%20note.md> "title")', ['vault/projects/x/my note.md']],
    ['[a]: ./b.md', ['vault/projects/x/b.md']],
    ['![shot](bucket/shot.png)', ['vault/projects/x/bucket/shot.png']],
    [
      '[[specs]] [[projects/y/state|State]] [[specs#part]]',
      ['[[specs]]', 'vault/projects/y/state.md', '[[specs]]'],
    ],
    ['[out](https://x.org/a.md) [mail](mailto:a@b) [here](#part) plain text', []],
    ['[up](../../../../etc/passwd) [bad](%E0%A4%A)', ['vault/etc/passwd', 'vault/projects/x/%E0%A4%A']],
  ])('in %j lead to %j', (text, expected) => {
    expect(targets(text)).toEqual(expected);
  });
});
