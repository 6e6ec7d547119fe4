import { expect } from 'vitest';
import { contains } from './contains.ts';
import { docx } from './docx-file.ts';
import type { HostileDocument } from './document.ts';
import { deflatedZeros } from './zeros.ts';
import { noise } from './noise.ts';

const headers = (more = ''): string =>
  `From: a@example.com\r\nTo: b@example.com\r\nSubject: Hello\r\nDate: Mon, 14 Jul 2025 18:30:00 +0200\r\n${more}`;
const mail = (text: string, more = ''): Buffer => Buffer.from(`${headers(more)}MIME-Version: 1.0\r\n${text}`);
const multipart = (parts: string[], closing = '--x--\r\n'): string =>
  `Content-Type: multipart/mixed; boundary="x"\r\n\r\n${parts.map((part) => `--x\r\n${part}\r\n`).join('')}${closing}`;
const attached = (name: string, content: Uint8Array): string =>
  `Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n` +
  `Content-Disposition: attachment; filename="${name}"\r\n\r\n${Buffer.from(content).toString('base64')}`;
const body = 'Content-Type: text/plain\r\n\r\nthe text of the mail';

export const hostileMail: HostileDocument[] = [
  {
    what: 'a mail nested inline a hundred levels deep',
    name: 'deep.eml',
    make: () => {
      let inner = `${headers()}\r\nthe innermost`;
      for (let depth = 0; depth < 100; depth += 1) {
        inner = `${headers()}MIME-Version: 1.0\r\nContent-Type: message/rfc822\r\n\r\n${inner}`;
      }
      return Buffer.from(inner);
    },
    ends: 'converted',
  },
  {
    what: 'a mail attached to a mail, a hundred levels deep',
    name: 'attached.eml',
    make: () => {
      let inner = `${headers()}\r\nthe innermost`;
      for (let depth = 0; depth < 100; depth += 1) {
        inner = `${headers()}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="x${depth}"\r\n
--x${depth}\r\n${body}\r\n--x${depth}\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment; filename="m.eml"\r\n
${inner}\r\n--x${depth}--\r\n`;
      }
      return Buffer.from(inner);
    },
    ends: 'converted',
    check: contains('the text of the mail'),
  },
  {
    what: 'a mail with 10,000 nested parts',
    name: 'parts.eml',
    make: () =>
      mail(
        Array.from(
          { length: 10_000 },
          (_, at) => `Content-Type: multipart/mixed; boundary="${at}"\r\n\r\n--${at}\r\n`,
        ).join('') + body,
      ),
    ends: 'too-large',
  },
  {
    what: 'a mail with a header of 10 MB',
    name: 'header.eml',
    make: () => mail(`\r\nthe text of the mail`, `X-Long: ${'x '.repeat(5_000_000)}\r\n`),
    ends: 'too-large',
  },
  {
    what: 'a mail to a hundred thousand people',
    name: 'everyone.eml',
    make: () =>
      mail(
        `\r\nthe text of the mail`,
        `Cc: ${'"Some One" <some.one@example.com>,\r\n '.repeat(100_000)}a@b.c\r\n`,
      ),
    ends: 'too-large',
  },
  {
    what: 'a mail with 20,000 parts',
    name: 'many.eml',
    make: () =>
      mail(multipart(Array.from({ length: 20_000 }, () => `X-Part: ${'x'.repeat(200)}\r\n${body}`))),
    ends: 'too-large',
  },
  {
    what: 'a mail with 20,000 attachments',
    name: 'files.eml',
    make: () =>
      mail(
        multipart([
          body,
          ...Array.from({ length: 20_000 }, (_, at) => attached(`${at}.txt`, Buffer.from('hi'))),
        ]),
      ),
    ends: 'too-large',
  },
  {
    what: 'a mail whose boundary is missing',
    name: 'boundary.eml',
    make: () => mail(`Content-Type: multipart/mixed\r\n\r\nthe text of the mail`),
    ends: 'converted',
  },
  {
    what: 'a mail whose last part never ends',
    name: 'open.eml',
    make: () => mail(multipart([body], '')),
    ends: 'converted',
    check: contains('the text of the mail'),
  },
  {
    what: 'a mail with invalid base64',
    name: 'base64.eml',
    make: () =>
      mail(
        multipart([
          body,
          `Content-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${'%$§!'.repeat(10_000)}`,
        ]),
      ),
    ends: 'converted',
    check: contains('the text of the mail'),
  },
  {
    what: 'a mail with an unknown charset',
    name: 'letters.eml',
    make: () => mail(`Content-Type: text/plain; charset="x-klingon-8"\r\n\r\nthe text of the mail`),
    ends: 'converted',
    check: contains('the text of the mail'),
  },
  {
    what: 'a mail with an attachment name that leaves its folder',
    name: 'climbs.eml',
    make: () => mail(multipart([body, attached('../../etc/passwd', Buffer.from('root:x'))])),
    ends: 'converted',
    check: ({ inside: [attachment] }) => {
      expect(attachment?.outcome.kind).toBe('converted');
      expect(attachment?.document.name).not.toMatch(/[/\\]/);
    },
  },
  {
    what: 'a mail with a Word document attached that unpacks to 1 GB',
    name: 'bomb.eml',
    make: () => {
      const bomb = {
        name: 'word/document.xml',
        content: '',
        deflated: deflatedZeros(1_000),
        says: { size: 4e9 },
      };
      return mail(
        multipart([
          body,
          attached('report.docx', docx('', [bomb])),
          attached('note.txt', Buffer.from('fine')),
        ]),
      );
    },
    ends: 'converted',
    check: (taken) => {
      contains('the text of the mail')(taken);
      expect(
        taken.inside.map(({ outcome }) => (outcome.kind === 'refused' ? outcome.code : outcome.markdown)),
      ).toEqual(['too-large', 'fine']);
    },
  },
  {
    what: 'an HTML mail with a tracking beacon',
    name: 'beacon.eml',
    make: (trap) =>
      mail(
        `Content-Type: text/html\r\n\r\n<html><body><p>the text of the mail</p><img src="${trap}/beacon.gif" width=1 height=1>
<link rel=stylesheet href="${trap}/style.css"><script src="${trap}/s.js"></script></body></html>`,
      ),
    ends: 'converted',
    check: contains('the text of the mail'),
  },
  {
    what: 'a mail with random bytes after its headers',
    name: 'noise.eml',
    make: () => Buffer.concat([mail('\r\n'), noise(1_000_000)]),
    ends: 'converted',
  },
  {
    what: 'a mailbox of 100,000 mails',
    name: 'all.mbox',
    make: () =>
      Buffer.from(`From a@example.com Mon Jul 14 18:30:00 2025\n${headers()}\r\nhello\n\n`.repeat(100_000)),
    ends: 'too-large',
  },
];
