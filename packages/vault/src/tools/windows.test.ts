import { expect, it } from 'vitest';
import { fakeWindows } from '../../../../test/fake-windows.ts';
import { roomVault } from '../../../../test/room-vault.ts';
import { parseRangeArgument } from './path-argument.ts';

fakeWindows();

it('a path on Windows can have a line range, although names with a colon are refused there', async () => {
  const { view } = await roomVault({ 'note.md': 'one\ntwo\nthree\n' });
  expect(await parseRangeArgument('vault/note.md:2-3', view)).toEqual({
    ok: true,
    path: 'vault/note.md',
    displayPath: 'vault/note.md',
    ranges: [{ start: 2, end: 3 }],
  });
  expect(await parseRangeArgument('note.md:stream', view)).toMatchObject({
    ok: false,
    error: { path: 'vault/note.md', message: expect.stringContaining('is not a range of lines') },
  });
});
