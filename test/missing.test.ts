import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it.each(['bubblewrap', 'chromium', 'libreoffice-writer-nogui', 'ntfs-3g', 'postgresql'])(
  '.ci/run installs %s, so that the tests that need it run there',
  (debianPackage) => {
    expect(readFileSync('.ci/run', 'utf8')).toMatch(new RegExp(`[ :(]${debianPackage}[ );]`));
  },
);
