import { expect, it } from 'vitest';
import { withConflictRecord } from '../changes/index.ts';
import type { VaultView } from '../vault/index.ts';
import { readConflictVersions } from './conflict-versions.ts';

it('a choice between disputed lines changes no byte of the other lines', async () => {
  const note = 'one\r\nkept a\nkept b\ntwo\nlast line';
  const view = {
    read: async () => ({ kind: 'file', bytes: Buffer.from(note) }),
  } as unknown as VaultView;
  const regions = [{ kept: ['kept a', 'kept b'], a: ['kept a'], b: ['kept b'] }];
  const review = withConflictRecord({ kind: 'lines', note: 'vault/a.md', regions }, 'Which?');
  const versions = await readConflictVersions(review, view, async () => []);
  expect(versions?.choose('mine').toString()).toBe('one\r\nkept a\ntwo\nlast line');
  expect(versions?.choose('theirs').toString()).toBe('one\r\nkept b\ntwo\nlast line');
});
