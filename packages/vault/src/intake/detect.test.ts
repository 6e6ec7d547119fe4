import { describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { buffer } from 'node:stream/consumers';
import { detectKind } from './detect.ts';

const detect = (name: string, content: string | Uint8Array): string => {
  const kind = detectKind({ name, bytes: typeof content === 'string' ? Buffer.from(content) : content });
  return typeof kind === 'string' ? kind : `${kind.code}: ${kind.reason}`;
};
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const compound = (stream: string): Buffer =>
  Buffer.concat([
    latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
    Buffer.alloc(500),
    Buffer.from(stream, 'utf16le'),
  ]);
const headers = 'From: a@example.com\nTo: b@example.com\nSubject: Hello\n there\nDate: today\n\nHi';

async function zip(...names: string[]): Promise<Buffer> {
  const file = new ZipFile();
  for (const name of names) file.addBuffer(Buffer.from('x'), name);
  file.end();
  return buffer(file.outputStream);
}

describe('the kind of a document', () => {
  it.each<[string, string, string | Uint8Array]>([
    ['pdf', 'a.bin', '%PDF-1.7\n'],
    ['pdf', 'a', `junk before\n%PDF-1.4\n${'x'.repeat(3000)}\nstartxref\n9\n%%EOF`],
    ['image', 'a.pdf', latin('\x89PNG\r\n\x1a\n\0')],
    ['image', 'a', latin('\xff\xd8\xff\xe0\0')],
    ['image', 'a', 'GIF89a\0'],
    ['image', 'a', 'RIFF\0\0\0\0WEBPVP8 '],
    ['audio', 'a', 'ID3\x04'],
    ['audio', 'a', latin('\xff\xfb\x90\x64\0')],
    ['audio', 'a', latin('\xff\xf1\x50\x80\0')],
    ['audio', 'a', 'RIFF\0\0\0\0WAVEfmt '],
    ['audio', 'a', 'OggS\0\x02\0OpusHead'],
    ['audio', 'a', 'fLaC\0'],
    ['audio', 'a.mp4', '\0\0\0\x20ftypM4A \0\0\0\0'],
    ['audio', 'a', '\0\0\0\x20ftypisom\0\0\0\0....hdlr\0\0\0\0\0\0\0\0soun'],
    ['audio', 'a', latin('\x1a\x45\xdf\xa3....webm....A_OPUS')],
    ['mailbox', 'a', `From a@example.com Fri Jul  8 12:08:34 2011\n${headers}`],
    ['email', 'a.txt', headers],
    ['email', 'a.eml', 'Subject: alone\n\nHi'],
    ['email', 'a', latin(`${headers}\n\0\x01\xff`)],
    ['html', 'a.md', '\ufeff<!-- saved -->\n<?xml version="1.0"?><!DOCTYPE html>\n<p>'],
    ['html', 'a', '<html><p>x</p>\0'],
    ['html', 'a', Buffer.from('\ufeff<html><p>x', 'utf16le')],
    ['html', 'a.txt', '<div class="x">hello</div>'],
    ['html', 'a.html', '<x-app>hello</x-app>'],
    ['markdown', 'README.MD', '<div align="center">\n\n# Title'],
    ['markdown', 'a.markdown', 'From here on, all is well'],
    ['csv', 'a.csv', 'a,b\n1,2'],
    ['csv', 'a.tsv', 'a\tb'],
    ['text', 'a.html', 'just words'],
    ['text', 'a.pdf', 'A PDF starts with %PDF-1.4 and ends with %%EOF.'],
    ['text', 'a', 'Note: one\nTo: do\n'],
    ['text', 'a', latin('Gr\xfc\xdfe aus K\xf6ln')],
    ['text', 'a', Buffer.from('\ufeffhello', 'utf16le')],
    ['text', 'a', Buffer.from('\ufeffhello', 'utf16le').swap16()],
  ])('is %s', (kind, name, content) => {
    expect(detect(name, content)).toBe(kind);
  });

  it('is detected from the entries of a zip container', async () => {
    expect(detect('a.zip', await zip('[Content_Types].xml', 'word/document.xml'))).toBe('docx');
    expect(detect('a.docx', await zip('xl/workbook.xml'))).toMatch(
      /^unsupported: spreadsheets are not supported; save it as/,
    );
    expect(detect('a.docx', await zip('ppt/presentation.xml'))).toMatch(/^unsupported: presentations/);
    expect(detect('a', await zip('mimetype', 'META-INF/container.xml'))).toMatch(/EPUB/);
    expect(detect('a', await zip('mimetype', 'content.xml'))).toMatch(/OpenDocument/);
    expect(detect('a', await zip('Index/Document.iwa'))).toMatch(/Apple/);
    expect(detect('a.docx', await zip('a.txt'))).toMatch(
      /^unsupported: archives are not supported; extract it/,
    );
    expect(detect('a.docx', await zip())).toMatch(/^unsupported: archives/);
    const whole = await zip('word/document.xml');
    expect(detect('a.docx', whole.subarray(0, -10))).toBe(
      'damaged: the file is incomplete; download it again',
    );
  });
});

describe('an unsupported document', () => {
  it.each<[string, string, string | Uint8Array]>([
    ['empty', 'a.pdf', ''],
    ['encrypted', 'a.docx', compound('EncryptedPackage')],
    [
      'unsupported: old Word documents are not supported; save it as .docx or PDF',
      'a.docx',
      compound('WordDocument'),
    ],
    ['unsupported: old Excel workbooks are not supported; save it as CSV or PDF', 'a', compound('Workbook')],
    [
      'unsupported: Outlook messages are not supported; save it as .eml',
      'a.msg',
      compound('__substg1.0_0037001F'),
    ],
    ['unsupported: old Office files', 'a', compound('')],
    ['unsupported: executables', 'report.pdf', latin('MZ\x90\0\x03\0')],
    ['unsupported: executables', 'report.md', latin('\x7fELF\x02')],
    [
      'unsupported: rich text (RTF) is not supported; save it as .docx or PDF',
      'a.doc',
      String.raw`{\rtf1\ansi}`,
    ],
    ['unsupported: SVG drawings', 'a.svg', '<?xml version="1.0"?><svg xmlns="x"><script/></svg>'],
    ['unsupported: archives', 'a.gz', latin('\x1f\x8b\x08')],
    ['unsupported: videos', 'a.mp4', '\0\0\0\x20ftypisom\0\0\0\0....hdlr\0\0\0\0\0\0\0\0vide'],
    ['unsupported: videos', 'a', latin('\x1a\x45\xdf\xa3....webm....A_OPUS....V_VP9')],
    ['unsupported: unsupported image format', 'a.heic', '\0\0\0\x20ftypheic'],
    ['unsupported: databases', 'a', 'SQLite format 3\0'],
    ['unsupported: unsupported format', 'a.txt', 'text with a \0 in it'],
    ['unsupported: unsupported format', 'a.txt', Buffer.from('no mark', 'utf16le')],
    ['unsupported: unsupported format', 'a.md', latin('\x01\x02\x03\x04\x05')],
  ])('is rejected as %s', (refusal, name, content) => {
    expect(detect(name, content).slice(0, refusal.length)).toBe(refusal);
  });
});
