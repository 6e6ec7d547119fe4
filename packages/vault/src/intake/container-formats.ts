import type { DocumentKind, Rejection } from './document.ts';
import { refuse } from './rejection.ts';

const oleFormats: [string, Rejection][] = [
  ['EncryptedPackage', refuse('encrypted', 'the file is password-protected; save it without a password')],
  ['WordDocument', refuse('unsupported', 'old Word documents are not supported; save it as .docx or PDF')],
  ['Workbook', refuse('unsupported', 'old Excel workbooks are not supported; save it as CSV or PDF')],
  [
    'PowerPoint Document',
    refuse('unsupported', 'old PowerPoint presentations are not supported; save it as PDF'),
  ],
  ['__substg1.0_', refuse('unsupported', 'Outlook messages are not supported; save it as .eml')],
];

const zipFormats: [RegExp, DocumentKind | Rejection][] = [
  [/^word\/document\d*\.xml$/, 'docx'],
  [/^xl\/workbook\./, refuse('unsupported', 'spreadsheets are not supported; save it as CSV or PDF')],
  [/^ppt\/presentation\./, refuse('unsupported', 'presentations are not supported; save it as PDF')],
  [
    /^META-INF\/container\.xml$/,
    refuse('unsupported', 'EPUB books are not supported; save it as PDF or HTML'),
  ],
  [/^content\.xml$/, refuse('unsupported', 'OpenDocument files are not supported; save it as .docx or PDF')],
  [/\.iwa$/, refuse('unsupported', 'Apple iWork files are not supported; export it as .docx or PDF')],
];

/** Detects container formats: Office, zip and Outlook files. */
export function detectContainer(bytes: Uint8Array): DocumentKind | Rejection | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = view.toString('latin1', 0, 8);
  if (start === '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') {
    const [, old] = oleFormats.find(([stream]) => view.includes(stream, 0, 'utf16le')) ?? [];
    return old ?? refuse('unsupported', 'old Office files are not supported; save it as .docx or PDF');
  }
  if (!start.startsWith('PK\x03\x04') && !start.startsWith('PK\x05\x06')) return null;
  const names = listZipEntries(view);
  if (names === null) return refuse('damaged', 'the file is incomplete; download it again');
  const [, found] = zipFormats.find(([part]) => names.some((name) => part.test(name))) ?? [];
  return found ?? refuse('unsupported', 'archives are not supported; extract it and add the files');
}

/** The names in the central directory, as far as it is readable; null when there is none. */
function listZipEntries(view: Buffer): string[] | null {
  const end = view.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end === -1 || end + 22 > view.length) return null;
  const names: string[] = [];
  let at = view.readUInt32LE(end + 16);
  while (names.length < 10_000 && at + 46 <= end && view.toString('latin1', at, at + 4) === 'PK\x01\x02') {
    const nameEnd = at + 46 + view.readUInt16LE(at + 28);
    names.push(view.toString('utf8', at + 46, nameEnd));
    at = nameEnd + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32);
  }
  return names;
}
