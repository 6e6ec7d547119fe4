import type { DocumentKind, Refusal } from './port.ts';
import { refuse } from './refusal.ts';

/** What files of a kind are called in the world. */
type FileType = { extension: string; mediaType: string };

type Signature = (FileType & { kind: DocumentKind }) | Refusal;

const asImage = refuse('unsupported', 'pictures of this kind cannot be kept; save it as PNG or JPEG');
const asArchive = refuse('unsupported', 'it is an archive; unpack it and give the documents in it');
const asProgram = refuse('unsupported', 'it is a program, not a document');
const asVideo = refuse('unsupported', 'it is a video; save its sound as MP3 or M4A');

/** At the very start, in bytes of Latin-1. */
const starts: [string, Signature][] = [
  ['%PDF-', { kind: 'pdf', extension: 'pdf', mediaType: 'application/pdf' }],
  ['\x89PNG\r\n\x1a\n', { kind: 'image', extension: 'png', mediaType: 'image/png' }],
  ['\xff\xd8\xff', { kind: 'image', extension: 'jpg', mediaType: 'image/jpeg' }],
  ['GIF87a', { kind: 'image', extension: 'gif', mediaType: 'image/gif' }],
  ['GIF89a', { kind: 'image', extension: 'gif', mediaType: 'image/gif' }],
  ['ID3', { kind: 'audio', extension: 'mp3', mediaType: 'audio/mpeg' }],
  ['fLaC', { kind: 'audio', extension: 'flac', mediaType: 'audio/flac' }],
  ['II*\0', asImage],
  ['MM\0*', asImage],
  ['8BPS', asImage],
  ['MZ', asProgram],
  ['\x7fELF', asProgram],
  ['\xcf\xfa\xed\xfe', asProgram],
  ['\xca\xfe\xba\xbe', asProgram],
  ['\x1f\x8b', asArchive],
  ['7z\xbc\xaf\x27\x1c', asArchive],
  ['Rar!\x1a\x07', asArchive],
  ['BZh', asArchive],
  ['\xfd7zXZ\0', asArchive],
  ['\x28\xb5\x2f\xfd', asArchive],
  ['{\\rtf', refuse('unsupported', 'it is rich text (RTF); save it as .docx or PDF')],
  ['%!PS', refuse('unsupported', 'it is PostScript; save it as PDF')],
  ['SQLite format 3\0', refuse('unsupported', 'it is a database; export what matters as CSV')],
  ['!BDN', refuse('unsupported', 'it is an Outlook data file; export its mail as .eml or mbox')],
  ['\x30\x26\xb2\x75\x8e\x66\xcf\x11', asVideo],
  ['FLV\x01', asVideo],
];

/** Of what `signatureOf` knows. */
export function fileTypeOf(bytes: Uint8Array): FileType {
  const signature = signatureOf(bytes);
  if (signature !== null && signature.kind !== 'refused') return signature;
  return { extension: 'bin', mediaType: 'application/octet-stream' };
}

/** What the first bytes say, when they say it. */
export function signatureOf(bytes: Uint8Array): Signature | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = view.toString('latin1', 0, 512);
  const [, known] = starts.find(([start]) => head.startsWith(start)) ?? [];
  return known ?? riffOf(head) ?? mediaFileOf(view, head) ?? mpegOf(view) ?? otherOf(head);
}

function riffOf(head: string): Signature | null {
  if (!head.startsWith('RIFF')) return null;
  const form = head.slice(8, 12);
  if (form === 'WEBP') return { kind: 'image', extension: 'webp', mediaType: 'image/webp' };
  if (form === 'WAVE') return { kind: 'audio', extension: 'wav', mediaType: 'audio/wav' };
  return asVideo;
}

/** Containers that hold sound alone or a video. */
function mediaFileOf(view: Buffer, head: string): Signature | null {
  if (head.startsWith('OggS')) {
    if (head.includes('theora')) return asVideo;
    return { kind: 'audio', extension: 'ogg', mediaType: 'audio/ogg' };
  }
  if (head.startsWith('\x1a\x45\xdf\xa3')) {
    const tracks = view.toString('latin1', 0, 65_536);
    if (tracks.includes('V_') || !tracks.includes('A_')) return asVideo;
    return { kind: 'audio', extension: 'webm', mediaType: 'audio/webm' };
  }
  if (head.slice(4, 8) !== 'ftyp') return null;
  const brand = head.slice(8, 12);
  if (/^(?:hei|hev|mif|msf|avi)/.test(brand)) return asImage;
  if (/^(?:qt|M4V|3g)/.test(brand) || hasVideoTrack(view)) return asVideo;
  return { kind: 'audio', extension: 'm4a', mediaType: 'audio/mp4' };
}

function hasVideoTrack(view: Buffer): boolean {
  let at = view.indexOf('hdlr');
  for (let handlers = 0; at !== -1 && handlers < 100; handlers += 1) {
    if (view.toString('latin1', at + 12, at + 16) === 'vide') return true;
    at = view.indexOf('hdlr', at + 4);
  }
  return false;
}

/** Sound that starts with its first frame: MPEG layers II and III, and AAC. Layer I would be UTF-16's mark. */
function mpegOf(view: Buffer): Signature | null {
  const [first = 0, second = 0, third = 0] = view;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  const layer = (second >> 1) & 3;
  if ((second & 0xf6) === 0xf0) return { kind: 'audio', extension: 'aac', mediaType: 'audio/aac' };
  if ((layer !== 1 && layer !== 2) || third >> 4 === 15) return null;
  return { kind: 'audio', extension: 'mp3', mediaType: 'audio/mpeg' };
}

function otherOf(head: string): Signature | null {
  if (head.startsWith('BM') && head.slice(6, 10) === '\0\0\0\0') return asImage;
  if (head.slice(257, 262) === 'ustar') return asArchive;
  return null;
}
