import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { openDurable } from './databases.ts';

it('the durable database reaches the disk, not only the cache of the drive, also on macOS', () => {
  const database = openDurable(temporaryFolder());
  onTestFinished(() => void database.close());
  const settings = ['synchronous', 'fullfsync', 'checkpoint_fullfsync'];
  expect(settings.map((name) => database.pragma(name, { simple: true }))).toEqual([2, 1, 1]);
});
