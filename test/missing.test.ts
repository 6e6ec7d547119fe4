import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it.each(['bubblewrap', 'chromium-headless-shell', 'libreoffice-writer-nogui', 'ntfs-3g', 'postgresql'])(
  '.ci/tools installs %s, so that tests that need it run in CI',
  (debianPackage) => {
    expect(readFileSync('.ci/tools', 'utf8')).toMatch(new RegExp(`[ :(]${debianPackage}[ );]`));
  },
);
