import { describe, expect, it } from 'vitest';
import { isForeignFile } from './foreign-names.ts';

describe('a file of another program', () => {
  it.each([
    '~syncthing~note.md.tmp',
    '~$report.docx',
    '~$note.md',
    '~WRL0001.tmp',
    '~RF2ab3.TMP',
    'note.md.crdownload',
    'note.md.part',
    'note.md.1a2b3c4d.partial',
    'note.md.filepart',
    'note.md.icloud',
    'note.md.!sync',
    'note.md.tmp',
    'note.md.swp',
    'note.md~',
    '#note.md#',
    'desktop.ini',
    'Thumbs.db',
    'Icon\r',
  ])('is known by its name: %s', (name) => expect(isForeignFile(name)).toBe(true));

  it.each([
    'note.md',
    '~writing.md',
    'part.md',
    'a.part.md',
    'tmp.md',
    '#idea.md',
    'a ~ b.md',
    '~.md',
    'tmp',
  ])('is not every name that looks a little like it: %s', (name) => expect(isForeignFile(name)).toBe(false));
});
