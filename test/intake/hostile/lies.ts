import { expect } from 'vitest';
import { contains } from './contains.ts';
import type { HostileDocument } from './document.ts';
import { docx, paragraph } from './docx-file.ts';
import { noise } from './noise.ts';
import { onePage, stream, words } from './pdf-file.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Files whose names do not match their content. */
export const hostileLies: HostileDocument[] = [
  {
    what: 'a program called report.pdf',
    name: 'report.pdf',
    make: () => Buffer.concat([Buffer.from('MZ\x90\0'), noise(1000)]),
    ends: 'unsupported',
  },
  {
    what: 'a PDF called report.docx',
    name: 'report.docx',
    make: () => onePage(stream(words('the text'))),
    ends: 'converted',
    check: contains('the text'),
  },
  {
    what: 'a Word document called report.pdf',
    name: 'report.pdf',
    make: () => docx(paragraph('the text')),
    ends: 'converted',
    check: contains('the text'),
  },
  {
    what: 'a page called note.md',
    name: 'note.md',
    make: () =>
      Buffer.from('<!doctype html><p onclick="x()">The text of the page.</p><script>alert(1)</script>'),
    ends: 'converted',
    check: ({ outcome }) => {
      expect(outcome.kind === 'converted' && outcome.metadata.type).toBe('html');
      expect(outcome.kind === 'converted' && outcome.markdown).not.toContain('alert');
    },
  },
  {
    what: 'a picture called scan.pdf',
    name: 'scan.pdf',
    make: () => png,
    ends: 'converted',
    check: ({ outcome }) =>
      expect(outcome.kind === 'converted' && outcome.images).toEqual([{ name: 'scan.png', bytes: png }]),
  },
  { what: 'an empty file', name: 'note.md', make: () => Buffer.alloc(0), ends: 'empty' },
  { what: 'a file of spaces', name: 'note.txt', make: () => Buffer.alloc(1_000_000, ' \n'), ends: 'empty' },
  { what: 'noise called note.txt', name: 'note.txt', make: () => noise(1_000_000), ends: 'unsupported' },
  {
    what: 'zeros called note.txt',
    name: 'note.txt',
    make: () => Buffer.alloc(1_000_000),
    ends: 'unsupported',
  },
  {
    what: 'UTF-16 without a byte order mark',
    name: 'note.txt',
    make: () => Buffer.from('words in sixteen bits', 'utf16le'),
    ends: 'unsupported',
  },
  {
    what: 'a drawing with a script',
    name: 'drawing.svg',
    make: (trap) =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg"><script href="${trap}"/><image href="${trap}"/></svg>`,
      ),
    ends: 'unsupported',
  },
  {
    what: 'a document of 26 MB',
    name: 'large.txt',
    make: () => Buffer.alloc(26_000_000, 'words '),
    ends: 'too-large',
  },
  {
    what: 'a text of 15 MB without a line break',
    name: 'long.txt',
    make: () => Buffer.alloc(15_000_000, 'words '),
    ends: 'too-large',
  },
];
