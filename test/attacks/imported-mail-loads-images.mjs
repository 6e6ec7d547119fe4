// Remote images in imported mail and web pages become links: also those that a sender writes as Markdown or tags in plain text.
// Limit: 90 s
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { broken, failed, held, keepsake, newVault, vault, world } from './lib/world.mjs';

await newVault();
const source = join(world, 'mails');
mkdirSync(source);
const head = (subject, from = 'A <a@b.example>') =>
  `From: ${from}\nTo: me@x.example\nSubject: ${subject}\nDate: Mon, 1 Jan 2024 10:00:00 +0000\nContent-Type: text/plain; charset=utf-8\n\n`;
const image = '![x](https://evil.example/p.png)';
const page = (body) => `<html><body><h1>Page</h1><p>Some words on a page.</p>${body}</body></html>`;
const files = {
  'body.eml': `${head('Hi')}Hello ${image}\n`,
  'tag.eml': `${head('Hi')}Hello <img src="https://evil.example/p.png">\n`,
  'subject.eml': `${head(image)}Hello\n`,
  'sender.eml': `${head('Hi', `"${image}" <a@b.example>`)}Hello\n`,
  'script.eml': `${head('Hi')}Hello\n\n\`\`\`dataviewjs\nfetch("https://evil.example/p")\n\`\`\`\n`,
  'image.html': page('<img src="https://evil.example/p.png" alt="x">'),
  'script.html': page('<pre><code class="language-dataviewjs">fetch("https://evil.example/p")</code></pre>'),
  'query.html': page('<code>$= fetch("https://evil.example/p")</code>'),
  'cell.csv': `name,picture\na,${image}\n`,
};
for (const [name, content] of Object.entries(files)) writeFileSync(join(source, name), content);
const done = await keepsake(['import', source]);
if (done.code !== 0) failed(done.stderr);
const notes = readdirSync(join(vault, 'bucket'), { recursive: true }).filter((name) => name.endsWith('.md'));
const loading = [];
for (const name of notes) {
  const body = readFileSync(join(vault, 'bucket', name), 'utf8').replace(/^---\n[^]*?\n---\n/, '');
  if (/!\[x\]\(https:\/\/evil|<img src="?https:\/\/evil|^```dataviewjs$|`\$= fetch/m.test(body))
    loading.push(name.replace(/.*\//, ''));
}
if (notes.length < 5) failed(`${notes.length} notes were made`);
if (loading.length > 0)
  broken(
    `${loading.length} of ${notes.length} imported notes load from elsewhere in an editor: ${loading.join(', ')}`,
  );
held();
