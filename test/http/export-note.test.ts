import { describe, expect, it } from 'vitest';
import { host, httpVault, origin, readProblem } from './http-vault.ts';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const note = `---
source: private/mail.md
---

# État

Beams of oak. See [[secret-plan]], [the plan](../private/secret-plan.md), [the site](https://example.org/x) and [below](#costs).
<!-- a comment --> %%![[hidden.png]]%%

<script>alert(1)</script>

![[beam.png]]
![A remote image](https://example.org/pixel.png)
![[secret-plan]]
![[offer.pdf]]
![](../../../etc/passwd.png)
![[private/photos/config.png]] and [[private/diary#May]]

## Costs

Some $x^2$ euros.
`;
const files = {
  'projects/roof/état.md': note,
  'projects/roof/bucket/beam.png': pixel,
  'projects/roof/bucket/hidden.png': pixel,
  'projects/roof/large.png': Buffer.concat([pixel, Buffer.alloc(11_000_000)]),
  'projects/roof/large.md': '![<script>alert(1)</script>](large.png) and ![[beam.png]]\n',
  'projects/roof/bucket/offer.pdf': '%PDF-1.7\n',
  'projects/roof/plan.md': '# Plan\n',
  'private/secret-plan.md': '# Secret plan\n\nQuokka.\n',
};

describe('a note as HTML', () => {
  it('is one file with its images, without scripts, and names no other note or folder', async () => {
    const vault = await httpVault(files);
    const response = await vault.send(`/export/note?path=${encodeURIComponent('projects/roof/état.md')}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''%C3%A9tat.html`);
    const html = await response.text();
    expect(html).toContain('<title>État</title>');
    expect(html).toContain(`<img src="data:image/png;base64,${pixel.toString('base64')}" alt="beam.png">`);
    expect(html).toContain(
      '<a href="https://example.org/x" rel="noopener noreferrer nofollow" target="_blank">',
    );
    expect(html).toContain('<a href="#heading-costs">below</a>');
    expect(html).toContain('<p>offer.pdf</p>');
    expect(html).toContain('<math');
    expect(html.match(/<img /g)).toHaveLength(1);
    for (const word of [
      'private',
      'projects',
      'bucket',
      'Quokka',
      'passwd',
      'photos',
      'hidden.png',
      'comment',
    ])
      expect([word, html.includes(word)]).toEqual([word, false]);
    // Only the text of the link.
    expect(html.match(/secret-plan/g)).toHaveLength(1);
    expect(html).not.toMatch(/<script|<link|src="http/);
  });

  it('speaks the language of the browser', async () => {
    const vault = await httpVault(files);
    const html = await vault.send('/export/note?path=projects/roof/plan.md', {
      headers: { 'accept-language': 'fr-CH, en' },
    });
    expect(await html.text()).toMatch(/<html lang="fr">.*Téléchargée le/s);
  });

  it('shows the description of images that do not fit', async () => {
    const vault = await httpVault(files);
    const html = await (await vault.send('/export/note?path=projects/roof/large.md')).text();
    expect(html.match(/<img /g)).toHaveLength(1);
    expect(html).toContain('<span>&#x3C;script>alert(1)&#x3C;/script></span>');
    expect(html.length).toBeLessThan(20_000);
  });

  it('is available for notes that the caller may see', async () => {
    const vault = await httpVault(files);
    const ask = (path: string, token: string | null = vault.reader) =>
      vault.send(`/export/note?path=${path}`, { token });
    expect(await readProblem(await ask('projects/roof/bucket/beam.png'))).toMatchObject({ status: 422 });
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
