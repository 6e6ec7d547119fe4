import { describe, expect, it } from 'vitest';
import { host, httpVault, origin, readProblem } from './http-vault.ts';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const files = {
  'projects/roof/état.md':
    '---\nsource: mail\n---\n# État\n\n<script>alert(1)</script> ![[beam.png]] ![far](https://example.org/x.png) [[plan]]\n\n![[offer.pdf]]\n\n`<img src="f/00000000000000000000000000000000" alt="x">`\n',
  'projects/roof/beam.png': pixel,
  'projects/roof/large.png': Buffer.concat([pixel, Buffer.alloc(11_000_000)]),
  'projects/roof/large.md': '![[large.png]] and ![[beam.png]]\n',
  'projects/roof/offer.pdf': '%PDF-1.7\n',
  'projects/roof/plan.md': '# Plan\n',
};

describe('a note as HTML', () => {
  it('is one file with its images, without scripts, references and properties', async () => {
    const vault = await httpVault(files);
    const response = await vault.send(`/export/note?path=${encodeURIComponent('projects/roof/état.md')}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''%C3%A9tat.html`);
    const html = await response.text();
    expect(html).toContain('<title>État</title>');
    expect(html).toContain(`<img src="data:image/png;base64,${pixel.toString('base64')}" alt="beam.png">`);
    expect(html).toContain('offer.pdf');
    expect(html).toContain('&#x3C;img src="f/00000000000000000000000000000000" alt="x">');
    expect(html).not.toMatch(/<script|<link|<a href="f\/|<img src="f\/|src="http|source: mail/);
  });

  it('leaves out images that do not fit', async () => {
    const vault = await httpVault(files);
    const html = await (await vault.send('/export/note?path=projects/roof/large.md')).text();
    expect(html.match(/<img /g)).toHaveLength(1);
    expect(html).toContain('<span>large.png</span>');
    expect(html.length).toBeLessThan(20_000);
  });

  it('is available for notes that the caller may see', async () => {
    const vault = await httpVault(files);
    const ask = (path: string, token: string | null = vault.reader) =>
      vault.send(`/export/note?path=${path}`, { token });
    expect(await readProblem(await ask('projects/roof/beam.png'))).toMatchObject({ status: 422 });
    expect(await readProblem(await ask('missing.md'))).toMatchObject({ status: 404 });
    expect(await readProblem(await ask('../x.md'))).toMatchObject({ status: 422 });
    expect((await ask('projects/roof/plan.md', null)).status).toBe(401);
    expect((await ask('projects/roof/plan.md')).status).toBe(200);
  });
});

it('a link to a note, which earlier versions made, no longer works', async () => {
  const vault = await httpVault(files);
  const secret = 'A'.repeat(43);
  for (const path of [`/s/${secret}`, `/s/${secret}/`, `/s/${secret}/f/0`]) {
    const response = await vault.app.request(`${origin}${path}`, { headers: { host, accept: 'text/html' } });
    expect([response.status, await response.text()]).toEqual([
      410,
      'Links to notes no longer work. Ask the sender for the note as a file.\n',
    ]);
  }
  expect(JSON.stringify(vault.log)).not.toContain(secret);
});
