import { crc32, deflateRawSync } from 'node:zlib';
import { expect } from 'vitest';
import { contains } from './contains.ts';
import { overLimits } from './document.ts';
import type { HostileDocument } from './document.ts';
import { docx, officeType, paragraph, relationships } from './docx-file.ts';
import { deflatedZeros } from './zeros.ts';
import { zip } from './zip.ts';

const entry = (name: string, content = 'x') => ({ name, content });
const document = (xml: string) => entry('word/document.xml', xml);
const wordNamespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

export const hostileDocx: HostileDocument[] = [
  {
    what: 'a Word document that unpacks to 1 GB of zeros',
    name: 'bomb.docx',
    make: () =>
      docx('', [
        { ...entry('word/document.xml'), deflated: deflatedZeros(1_000), says: { size: 4_000_000_000 } },
      ]),
    ends: 'too-large',
  },
  {
    what: 'a Word document with a picture that unpacks to 1 GB of zeros',
    name: 'bomb.docx',
    make: () => {
      const picture = {
        name: 'word/media/image1.png',
        content: '',
        deflated: deflatedZeros(1_000),
        says: { size: 4e9 },
      };
      return docx(pictureOf('r2') + paragraph('kept'), [
        entry(
          'word/_rels/document.xml.rels',
          relationships(`<Relationship Id="r2" Type="${officeType}/image" Target="media/image1.png"/>`),
        ),
        picture,
      ]);
    },
    ends: 'too-large',
  },
  {
    what: 'a Word document with 1000 entries that share the same 10 MB of zeros',
    name: 'overlap.docx',
    make: () => {
      const zeros = {
        content: '',
        deflated: deflatedZeros(10),
        says: { size: 10_000_000, crc: crc32(Buffer.alloc(10_000_000)) },
      };
      const media = Array.from({ length: 1000 }, (_, at) => ({
        name: `word/header${at}.xml`,
        ...zeros,
        overlaps: at > 0,
      }));
      return docx(paragraph('x'), media);
    },
    ends: 'too-large',
  },
  {
    what: 'a Word document with nested zips',
    name: '42.docx',
    make: () => {
      let inner = zip([entry('zeros', '\0'.repeat(1_000_000))]);
      for (let depth = 0; depth < 4; depth += 1) {
        inner = zip(Array.from({ length: 16 }, (_, at) => ({ name: `${at}.zip`, content: inner })));
      }
      return docx(paragraph('kept'), [{ name: 'word/embeddings/lib.zip', content: inner }]);
    },
    ends: 'converted',
    check: contains('kept'),
  },
  {
    what: 'a Word document that declares its text as 10 bytes long',
    name: 'lies.docx',
    make: () => {
      const content = `<w:document ${wordNamespace}><w:body>${paragraph('x').repeat(10_000)}</w:body></w:document>`;
      return docx('', [{ ...document(content), says: { size: 10 } }]);
    },
    ends: 'damaged',
  },
  {
    what: 'a Word document with 20,000 entries',
    name: 'parts.docx',
    make: () => {
      const deflated = deflateRawSync('');
      const parts = Array.from({ length: 20_000 }, (_, at) => ({
        ...entry(`word/part${at}.xml`, ''),
        deflated,
      }));
      return docx(paragraph('x'), parts);
    },
    ends: 'too-large',
  },
  {
    what: 'a Word document with two entries of the same name',
    name: 'twice.docx',
    make: () => docx('', [document('<a/>'), document('<b/>')]),
    ends: 'damaged',
  },
  {
    what: 'a Word document with an entry that leaves its folder',
    name: 'climbs.docx',
    make: () => docx(paragraph('x'), [entry('../../../../tmp/climbed')]),
    ends: 'damaged',
  },
  {
    what: 'a Word document with macros',
    name: 'macros.docm',
    make: () =>
      docx(paragraph('only the text'), [entry('word/vbaProject.bin', 'Sub AutoOpen() Shell "calc" End Sub')]),
    ends: 'converted',
    check: (taken) => {
      contains('only the text')(taken);
      expect(JSON.stringify(taken.outcome)).not.toContain('AutoOpen');
    },
  },
  {
    what: 'a Word document that refers to a local file (XXE)',
    name: 'xxe.docx',
    make: () =>
      docx('', [
        document(
          `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>` +
            `<w:document ${wordNamespace}><w:body>${paragraph('&x;')}</w:body></w:document>`,
        ),
      ]),
    ends: 'damaged',
  },
  {
    what: 'a Word document with exponential entities (billion laughs)',
    name: 'laughs.docx',
    make: () => {
      const entities = Array.from({ length: 12 }, (_, at) =>
        at === 0 ? '<!ENTITY e0 "ha">' : `<!ENTITY e${at} "${`&e${at - 1};`.repeat(10)}">`,
      );
      return docx('', [
        document(
          `<?xml version="1.0"?><!DOCTYPE d [${entities.join('')}]>` +
            `<w:document ${wordNamespace}><w:body>${paragraph('&e11;')}</w:body></w:document>`,
        ),
      ]);
    },
    ends: 'damaged',
  },
  {
    what: 'a Word document with a picture and a template on the network',
    name: 'remote.docx',
    make: (trap) =>
      docx(pictureOf('r2') + paragraph('the text'), [
        entry(
          'word/_rels/document.xml.rels',
          relationships(
            `<Relationship Id="r2" Type="${officeType}/image" Target="${trap}/a.png" TargetMode="External"/>`,
            `<Relationship Id="r3" Type="${officeType}/attachedTemplate" Target="${trap}/t.dotm" TargetMode="External"/>`,
          ),
        ),
      ]),
    ends: 'converted',
    check: contains('the text'),
  },
  {
    what: 'a Word document with a picture that is a local file',
    name: 'local.docx',
    make: () =>
      docx(pictureOf('r2') + paragraph('the text'), [
        entry(
          'word/_rels/document.xml.rels',
          relationships(
            `<Relationship Id="r2" Type="${officeType}/image" Target="file:///etc/passwd" TargetMode="External"/>`,
          ),
        ),
      ]),
    ends: 'converted',
    check: (taken) => {
      contains('the text')(taken);
      expect(JSON.stringify(taken.outcome)).not.toContain('root:');
    },
  },
  {
    what: 'a Word document with 10,000 nested tables',
    name: 'tables.docx',
    make: () =>
      docx(
        '<w:tbl><w:tr><w:tc>'.repeat(10_000) + paragraph('deep') + '</w:tc></w:tr></w:tbl>'.repeat(10_000),
      ),
    ends: 'too-large',
  },
  {
    what: 'a truncated Word document',
    name: 'cut.docx',
    make: () => docx(paragraph('x').repeat(1000)).subarray(0, 900),
    ends: 'damaged',
  },
  {
    what: 'a Word document with a wrong checksum',
    name: 'sum.docx',
    make: () =>
      docx('', [{ ...document(`<w:document ${wordNamespace}><w:body/></w:document>`), says: { crc: 1 } }]),
    ends: 'damaged',
  },
  {
    what: 'a Word document with encrypted entries',
    name: 'locked.docx',
    make: () => docx('', [{ ...document('secret'), flags: 1 }]),
    ends: 'encrypted',
  },
  {
    what: 'a Word document without a text',
    name: 'hollow.docx',
    make: () => docx('', [document('this is not XML <<<')]),
    ends: 'damaged',
  },
  {
    what: 'a Word document with 300,000 paragraphs',
    name: 'long.docx',
    make: () => docx(paragraph('word').repeat(300_000)),
    ends: overLimits,
  },
];

function pictureOf(relationship: string): string {
  return `<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill>
<a:blip r:link="${relationship}" r:embed="${relationship}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
}
