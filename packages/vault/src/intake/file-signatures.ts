import type { DocumentKind, Rejection } from './document.ts';
import { refuse } from './rejection.ts';

/** Standard extension and media type of a file format. */
type FileType = { extension: string; mediaType: string };

type Signature = (FileType & { kind: DocumentKind }) | Rejection;

const asImage = refuse('unsupported', 'unsupported image format; save it as PNG or JPEG');
const asArchive = refuse('unsupported', 'archives are not supported; extract it and add the files');
const asProgram = refuse('unsupported', 'executables are not supported');
const asVideo = refuse('unsupported', 'videos are not supported; save the audio as MP3 or M4A');

/** Magic bytes at the start of a file, written as Latin-1. */
const magicBytes: [string, Signature][] = [
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
  ['{\\rtf', refuse('unsupported', 'rich text (RTF) is not supported; save it as .docx or PDF')],
  ['%!PS', refuse('unsupported', 'PostScript is not supported; save it as PDF')],
  [
    'SQLite format 3\0',
    refuse('unsupported', 'databases are not supported; export the data you need as CSV'),
  ],
  [
    '!BDN',
    refuse('unsupported', 'Outlook data files are not supported; export the messages as .eml or mbox'),
  ],
  ['\x30\x26\xb2\x75\x8e\x66\xcf\x11', asVideo],
  ['FLV\x01', asVideo],
];

/** The type of a file; a generic binary type if the format is unknown or not supported. */
export function fileType(bytes: Uint8Array): FileType {
  const signature = detectSignature(bytes);
  if (signature !== null && signature.kind !== 'refused') return signature;
  return { extension: 'bin', mediaType: 'application/octet-stream' };
}

/** Detects the format from the first bytes; null when they do not identify it. */
export function detectSignature(bytes: Uint8Array): Signature | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = view.toString('latin1', 0, 512);
  const [, known] = magicBytes.find(([start]) => head.startsWith(start)) ?? [];
  return (
    known ?? detectRiff(head) ?? detectMediaContainer(view, head) ?? detectMpeg(view) ?? detectOther(head)
  );
}

function detectRiff(head: string): Signature | null {
  if (!head.startsWith('RIFF')) return null;
  const form = head.slice(8, 12);
  if (form === 'WEBP') return { kind: 'image', extension: 'webp', mediaType: 'image/webp' };
  if (form === 'WAVE') return { kind: 'audio', extension: 'wav', mediaType: 'audio/wav' };
  return asVideo;
}

/** Detects media containers, which contain either audio alone or video. */
function detectMediaContainer(view: Buffer, head: string): Signature | null {
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

/** Detects audio without a header: MPEG layers II and III, and AAC. Layer I would match the byte order mark of UTF-16. */
function detectMpeg(view: Buffer): Signature | null {
  const [first = 0, second = 0, third = 0] = view;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  const layer = (second >> 1) & 3;
  if ((second & 0xf6) === 0xf0) return { kind: 'audio', extension: 'aac', mediaType: 'audio/aac' };
  if ((layer !== 1 && layer !== 2) || third >> 4 === 15) return null;
  return { kind: 'audio', extension: 'mp3', mediaType: 'audio/mpeg' };
}

function detectOther(head: string): Signature | null {
  if (head.startsWith('BM') && head.slice(6, 10) === '\0\0\0\0') return asImage;
  if (head.slice(257, 262) === 'ustar') return asArchive;
  return null;
}
