// Giant requests do not affect others: a program that sends documents which take long to convert does not keep the documents of others waiting.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  broken,
  failed,
  held,
  needs,
  newToken,
  newVault,
  openLink,
  printedLink,
  serve,
  sleep,
  world,
} from './lib/world.mjs';

needs('python3');
await newVault();
const token = await newToken('write');
const service = await serve();
const cookie = await openLink(service, printedLink(service));
writeFileSync(
  join(world, 'make.py'),
  `
import zipfile, sys
head = '<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
p = '<w:p><w:r><w:t>word</w:t></w:r></w:p>'
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:
    z.writestr('[Content_Types].xml', '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>')
    z.writestr('_rels/.rels', '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>')
    z.writestr('word/document.xml', head + p * int(sys.argv[2]) + '</w:body></w:document>')
`,
);
execFileSync('python3', [join(world, 'make.py'), join(world, 'slow.docx'), '300000']);
execFileSync('python3', [join(world, 'make.py'), join(world, 'small.docx'), '3']);
const send = async (headers, name) => {
  const form = new FormData();
  form.set('file', new File([readFileSync(join(world, name))], name));
  const began = performance.now();
  const answer = await fetch(`${service.url}/api/vaults/default/documents`, {
    method: 'POST',
    headers,
    body: form,
    signal: AbortSignal.timeout(28_000),
  }).then(
    async (r) => `${r.status} ${(await r.text()).slice(0, 150)}`,
    (e) => e.name,
  );
  return { answer, seconds: (performance.now() - began) / 1_000 };
};
const user = { cookie, origin: service.url, 'sec-fetch-site': 'same-origin' };
const alone = await send(user, 'small.docx');
if (!alone.answer.startsWith('200')) failed(`a small document: ${alone.answer}`);
const slow = Array.from({ length: 12 }, () => send({ authorization: `Bearer ${token}` }, 'slow.docx'));
await sleep(1_500);
const beside = await send(user, 'small.docx');
const first = await Promise.race([Promise.all(slow), sleep(100)]);
console.error({ alone, beside, first });
if (!beside.answer.startsWith('200') || beside.seconds > 20)
  broken(
    `a document that is read within ${alone.seconds.toFixed(1)} s alone took ${beside.seconds.toFixed(0)} s (${beside.answer.slice(0, 20)}) after a token had sent twelve slow ones`,
  );
held();
