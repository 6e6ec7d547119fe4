import { convert } from '../../packages/vault/src/intake/convert.ts';
import type { ConvertibleKind } from '../../packages/vault/src/intake/convert.ts';
import { defaultLimits } from '../../packages/vault/src/intake/limits.ts';
import { must } from './target.ts';
import type { Target } from './target.ts';

const limits = { ...defaultLimits, documentBytes: 1_000_000, characters: 200_000 };

function converting(
  kind: ConvertibleKind,
  name: string,
  options: Pick<Target, 'full' | 'maxBytes' | 'words'>,
): Target {
  return {
    ...options,
    open: () => ({
      async run(input) {
        const outcome = await convert(kind, { name, bytes: Uint8Array.from(input) }, { stem: 'doc', limits });
        if (outcome.kind === 'refused') {
          must(outcome.reason !== '', 'a rejection has a reason');
          return;
        }
        const { markdown, images, attachments } = outcome;
        must(markdown.isWellFormed() && !markdown.includes('\0'), 'a note is text');
        must(markdown.length <= limits.characters + 10_000, 'a note is bounded');
        must(
          images.length <= limits.images && attachments.length <= limits.attachments,
          'the attachments of a note are bounded',
        );
        must(
          images.every((image) => /^doc-[\w.-]+$/.test(image.name)),
          'an image is named after its document',
        );
      },
    }),
  };
}

export const email = converting('email', 'message.eml', {
  full: 20_000,
  maxBytes: 20_000,
  words: [
    '\r\n',
    '\r\n\r\n',
    'From: ',
    'To: ',
    'Subject: ',
    'Date: ',
    'Content-Type: ',
    'multipart/mixed; boundary="b"',
    'multipart/alternative; boundary=b',
    'message/rfc822',
    'text/html',
    'text/plain; charset=utf-7',
    'charset=iso-2022-jp',
    'text/calendar',
    '--b\r\n',
    '--b--\r\n',
    'Content-Transfer-Encoding: base64\r\n',
    'quoted-printable',
    '=?utf-8?B?',
    '?=',
    '=?koi8-r?Q?=',
    'Content-Disposition: attachment; filename="../x"',
    'Content-ID: <a>',
    '<img src="cid:a">',
    'BEGIN:VCALENDAR\r\n',
    'DTSTART:20250714T183000Z\r\n',
    '=3D',
    '=\r\n',
    '\t',
    'application/pkcs7-mime',
    '-----BEGIN PGP MESSAGE-----',
  ],
});

export const html = converting('html', 'page.html', {
  full: 5_000,
  maxBytes: 12_000,
  words: [
    '<p>',
    '</p>',
    '<div>',
    '<table><tr><td>',
    '</table>',
    '<ul><li>',
    '<a href="',
    '">',
    '<img src="data:image/png;base64,',
    '<script>',
    '</script>',
    '<style>',
    '<template>',
    '<svg>',
    '<math>',
    '<pre>',
    '<code>',
    '<!--',
    '-->',
    '<![CDATA[',
    '<h1>',
    '<br>',
    '&amp;',
    '&#x0;',
    '&#xd800;',
    'javascript:',
    ' colspan="1000000"',
    '<meta charset="utf-16">',
    '<base href="//x">',
    '<iframe srcdoc="',
    '\0',
    '<sup>',
    '`',
    '*',
    '|',
  ],
});

export const csv = converting('csv', 'table.csv', {
  full: 20_000,
  maxBytes: 8_000,
  words: [',', ';', '\t', '"', '""', '\r\n', '\n', '\r', '|', '\ufeff', '=1+1', '`', '\\', '"\n"'],
});

export const calendar = converting('calendar', 'home.ics', {
  full: 5_000,
  maxBytes: 8_000,
  words: [
    '\r\n',
    '\r\n ',
    'BEGIN:VEVENT\r\n',
    'END:VEVENT\r\n',
    'BEGIN:VTIMEZONE\r\n',
    'END:VTIMEZONE\r\n',
    'DTSTART:20250714T183000Z\r\n',
    'DTSTART;VALUE=DATE:20250714\r\n',
    'DTEND:00010101T000000\r\n',
    'DURATION:-P9999999W\r\n',
    'RRULE:FREQ=DAILY;INTERVAL=99999999\r\n',
    'RRULE:FREQ=SECONDLY\r\n',
    ';BYMONTH=2;BYMONTHDAY=30',
    ';BYSETPOS=-1',
    ';COUNT=99999999',
    ';UNTIL=99991231',
    'EXDATE:20250714T183000Z\r\n',
    'RDATE;VALUE=PERIOD:20250714T183000Z/PT1H\r\n',
    'RECURRENCE-ID:20250714T183000Z\r\n',
    ';TZID=Mars/Olympus',
    ';TZID=Europe/Paris',
    'SUMMARY:📅 2026-01-01 🔁 every day\r\n',
    '%%',
    '```',
    '<!--',
  ],
});

export const pdf = converting('pdf', 'document.pdf', {
  full: 3_000,
  maxBytes: 8_000,
  words: [
    'obj\n',
    'endobj\n',
    'stream\n',
    'endstream\n',
    '<< ',
    ' >>',
    '/Type ',
    '/Page ',
    '/Pages ',
    '/Kids [',
    '/Count ',
    '/Length ',
    '/Filter /FlateDecode',
    '/Contents ',
    '/MediaBox [0 0 ',
    '/Font ',
    '/Encrypt ',
    '/Annots [',
    '/URI (',
    '/Root ',
    ' 0 R',
    '%PDF-1.7\n',
    'xref\n',
    'trailer\n',
    'startxref\n',
    '%%EOF',
    ' Tj',
    ' Td',
    ' Tf',
    ' cm',
    ' re',
    'BT ',
    ' ET',
    '\\',
    '(',
    ')',
    '/StructTreeRoot ',
    '99999999999',
  ],
});
