import type { DocumentKind, Refusal } from './port.ts';
import { refuse } from './refusal.ts';

const oldFiles: [string, Refusal][] = [
  ['EncryptedPackage', refuse('encrypted', 'it opens with a password only; save it without one')],
  ['WordDocument', refuse('unsupported', 'it is an old Word document; save it as .docx or PDF')],
  ['Workbook', refuse('unsupported', 'it is an old Excel sheet; save it as CSV or PDF')],
  ['PowerPoint Document', refuse('unsupported', 'it is an old PowerPoint presentation; save it as PDF')],
  ['__substg1.0_', refuse('unsupported', 'it is an Outlook message; save it as .eml')],
];

const zips: [RegExp, DocumentKind | Refusal][] = [
  [/^word\/document\d*\.xml$/, 'docx'],
  [/^xl\/workbook\./, refuse('unsupported', 'it is a spreadsheet; save it as CSV or PDF')],
  [/^ppt\/presentation\./, refuse('unsupported', 'it is a presentation; save it as PDF')],
  [/^META-INF\/container\.xml$/, refuse('unsupported', 'it is an EPUB book; save it as PDF or HTML')],
  [/^content\.xml$/, refuse('unsupported', 'it is an OpenDocument file; save it as .docx or PDF')],
  [/\.iwa$/, refuse('unsupported', 'it is made with an Apple program; export it as .docx or PDF')],
];

/** Files that are made of files: what Office, zip and Outlook write. */
export function packageKindOf(bytes: Uint8Array): DocumentKind | Refusal | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = view.toString('latin1', 0, 8);
  if (start === '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') {
    const [, old] = oldFiles.find(([stream]) => view.includes(stream, 0, 'utf16le')) ?? [];
    return old ?? refuse('unsupported', 'it is an old Office file; save it as .docx or PDF');
  }
  if (!start.startsWith('PK\x03\x04') && !start.startsWith('PK\x05\x06')) return null;
  const names = namesInZip(view);
  if (names === null) return refuse('damaged', 'its end is missing; get it again');
  const [, found] = zips.find(([part]) => names.some((name) => part.test(name))) ?? [];
  return found ?? refuse('unsupported', 'it is an archive; unpack it and give the documents in it');
}

/** From the central directory, as far as it can be read; null when there is none. */
function namesInZip(view: Buffer): string[] | null {
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
