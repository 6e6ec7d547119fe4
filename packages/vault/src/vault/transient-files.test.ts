import { describe, expect, it } from 'vitest';
import { isTransientFile } from './transient-files.ts';

describe('isTransientFile', () => {
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
  ])('matches %s', (name) => expect(isTransientFile(name)).toBe(true));

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
  ])('does not match %s', (name) => expect(isTransientFile(name)).toBe(false));
});
