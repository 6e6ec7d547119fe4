import { expect, it } from 'vitest';
import { costRatio } from '../../../../../test/cost-ratio.ts';
import { sampleOf } from '../../../../../test/sample-of.ts';
import { findRemoteResources } from '../../vault/index.ts';
import { convert } from '../convert.ts';
import { defaultLimits } from '../limits.ts';
import { disarmMarkdown } from './disarm-markdown.ts';

const evil = 'https://evil.example/p.png';

it.each([
  [`Hello ![x](${evil})`, `Hello !\\[x](${evil})`],
  [`Hello <img src="${evil}">`, `Hello &lt;img src="${evil}">`],
  [`![x][r]\n\n[r]: ${evil}`, `!\\[x][r]\n\n[r]: ${evil}`],
  [`![a](mail-1.png) ![x](${evil})`, `!\\[a]\\(mail-1.png) !\\[x]\\(${evil})`],
  [`![a](mail-1.png)\n\n![x](${evil})`, `![a](mail-1.png)\n\n!\\[x](${evil})`],
  ['```dataviewjs\nfetch("//evil.example")\n```', '```text dataviewjs\nfetch("//evil.example")\n```'],
  [`\`\`\`cardlink\nimage: ${evil}\n\`\`\``, `\`\`\`text cardlink\nimage: ${evil}\n\`\`\``],
  [`\`$= fetch("${evil}")\``, `\`\\$= fetch("${evil}")\``],
  [`<% fetch("${evil}") %>`, `&lt;% fetch("${evil}") %>`],
  ['```mermaid\n@import "a"\n```', '```text mermaid\n@import "a"\n```'],
  [`{{video ${evil}}}`, `{ {video ${evil}}}`],
  [`> ![x](\n> ${evil})`, `> !\\[x](\n> ${evil})`],
])('disarmMarkdown turns %s into text', (markdown, expected) => {
  expect(disarmMarkdown(markdown)).toBe(expected);
  expect(findRemoteResources(expected)).toEqual([]);
});

it.each([
  `[a link](${evil})`,
  '![a](mail-1.png)',
  '`vec![1, 2]`',
  '```js\nfetch("//a")\n```',
  'a < b',
  `<${evil}>`,
])('disarmMarkdown leaves %s unchanged', (markdown) => expect(disarmMarkdown(markdown)).toBe(markdown));

const mail = (subject: string, from: string, body: string): string =>
  `From: ${from}\nSubject: ${subject}\nContent-Type: text/plain; charset=utf-8\n\n${body}\n`;
it.each([
  ['email', mail('Hi', 'a@b.example', `Hello ![x](${evil})`)],
  ['email', mail(`![x](${evil})`, 'a@b.example', 'Hello')],
  ['email', mail('Hi', `"![x](${evil})" <a@b.example>`, 'Hello')],
  ['csv', `name,picture\na,![x](${evil})\n`],
  [
    'html',
    `<html><body><p>Words.</p><pre><code class="language-dataviewjs">fetch("${evil}")</code></pre></body></html>`,
  ],
] as const)('convert returns %s that loads nothing: %s', async (kind, content) => {
  const document = { name: 'a', bytes: new TextEncoder().encode(content) };
  const outcome = await convert(kind, document, { stem: 'a', limits: defaultLimits });
  if (outcome.kind !== 'converted') throw new Error(outcome.reason);
  const { title = '', author = '' } = outcome.metadata;
  expect([outcome.markdown, title, author].flatMap(findRemoteResources)).toEqual([]);
  expect(outcome.markdown).toContain(evil);
});

it.each(sampleOf(['![', '![a](', '<', '```a\n', '`$=', '`', '![a][', '> '], 4))(
  'disarmMarkdown reads repeated %s in linear time',
  async (piece) => {
    const text = (times: number): string => `![x](${evil})\n\n${piece.repeat(times)}`;
    const ratio = await costRatio(
      () => disarmMarkdown(text(40_000)),
      () => disarmMarkdown(text(10_000)),
    );
    expect(ratio).toBeLessThan(12);
  },
);
