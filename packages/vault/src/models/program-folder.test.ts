import { lstatSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missing } from '../../../../test/missing.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { createLinkFolder } from './program-folder.ts';

describe.skipIf(missing('POSIX') !== null)('the folder with a link to the sign-in of a program', () => {
  it('keeps the link that a running program uses, and follows a sign-in that has moved', () => {
    const [folder, home] = [temporaryFolder(), temporaryFolder()];
    const [one, other] = [join(home, 'one.json'), join(home, 'other.json')];
    writeFileSync(one, 'one');
    writeFileSync(other, 'other');
    const link = join(folder, 'auth.json');
    createLinkFolder(folder, 'auth.json', one);
    const { ino } = lstatSync(link);
    createLinkFolder(folder, 'auth.json', one);
    expect(lstatSync(link).ino).toBe(ino);
    createLinkFolder(folder, 'auth.json', other);
    expect(readFileSync(link, 'utf8')).toBe('other');
    expect(readdirSync(folder)).toEqual(['auth.json']);
  });

  it('keeps a sign-in that the program renewed until the user signs in again', () => {
    const [folder, home] = [temporaryFolder(), temporaryFolder()];
    const target = join(home, 'auth.json');
    const link = join(folder, 'auth.json');
    writeFileSync(target, 'used up');
    utimesSync(target, 1_000, 1_000);
    createLinkFolder(folder, 'auth.json', target);
    rmSync(link);
    writeFileSync(link, 'renewed');
    utimesSync(link, 2_000, 2_000);
    createLinkFolder(folder, 'auth.json', target);
    expect(readFileSync(link, 'utf8')).toBe('renewed');
    writeFileSync(target, 'signed in again');
    createLinkFolder(folder, 'auth.json', target);
    expect(readFileSync(link, 'utf8')).toBe('signed in again');
  });
});
