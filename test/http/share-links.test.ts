import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hashSecret } from '../../packages/vault/src/server/index.ts';
import { host, httpVault, origin, readProblem } from './http-vault.ts';
import type { HttpVault, HttpVaultOptions, Send } from './http-vault.ts';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const note = `---
title: The roof
source: private/mail.md
---

# The roof

Beams of oak. See [[secret-plan]], [the plan](../private/secret-plan.md), [the site](https://example.org/x) and [below](#costs).
<!-- a comment --> %%![[hidden.png]]%%

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
  'projects/roof/roof.md': note,
  'projects/roof/bucket/beam.png': pixel,
  'projects/roof/bucket/offer.pdf': '%PDF-1.7\n',
  'projects/roof/bucket/hidden.png': pixel,
  'private/secret-plan.md': '# Secret plan\n\nQuokka.\n',
  'private/mail.md': '# Mail\n',
};
const path = 'projects/roof/roof.md';

type Link = { id: string; url: string; path: string; until: number };

async function share(
  vault: HttpVault,
  json: object = {},
  send: Send = { token: vault.owner },
): Promise<Link> {
  return vault.get<Link>('/share-links', { ...send, json: { path, confirm: true, ...json } });
}

/** Opens an address as a browser that is not signed in. */
async function visit({ app }: HttpVault, address: string, headers = {}): Promise<Response> {
  return app.request(address, { headers: { host, accept: 'text/html', ...headers } });
}

async function sharedVault(options?: HttpVaultOptions): Promise<{ vault: HttpVault; link: Link }> {
  const vault = await httpVault(files, options);
  return { vault, link: await share(vault) };
}

/** All ended and unknown links get this response, except for the id of the request. */
async function expectGone(vault: HttpVault, address: string): Promise<void> {
  const of = async (response: Response): Promise<unknown> => {
    const headers = Object.fromEntries(response.headers);
    return [response.status, await response.text(), { ...headers, 'x-request-id': '' }];
  };
  const unknown = await visit(vault, `${origin}/s/${'A'.repeat(43)}/`);
  expect(unknown.status).toBe(404);
  expect(await of(await visit(vault, address))).toEqual(await of(unknown));
}

/** Sends requests as a member with this role, signed in with a browser. */
async function member(vault: HttpVault, role: string) {
  const json = { name: 'Léa', role };
  const { id, url } = await vault.get<{ id: string; url: string }>('/people', { token: vault.owner, json });
  const { pathname, search } = new URL(url);
  const opened = await vault.app.request(`${origin}${pathname}${search}`, { headers: { host } });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const send: Send = { token: null, headers: { cookie, 'sec-fetch-site': 'same-origin', origin } };
  return { id, send };
}

describe('the page of a share link', () => {
  it('shows the rendered note and names no other note, file or folder', async () => {
    const { vault, link } = await sharedVault();
    const response = await visit(vault, link.url);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('<h1 id="heading-the-roof">The roof</h1>');
    expect(html).toContain('Beams of oak.');
    expect(html).toContain(
      '<a href="https://example.org/x" rel="noopener noreferrer nofollow" target="_blank">',
    );
    expect(html).toContain('<a href="#heading-costs">below</a>');
    expect(html).toContain('<math');
    expect(html.match(/<img /g)).toHaveLength(1);
    expect(html).toMatch(/<img src="f\/[0-9a-f]{32}"/);
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
    // Only the text of the links, and the description of the remote image.
    expect(html.match(/secret-plan/g)).toHaveLength(1);
    expect(html).not.toMatch(/<script|<link|<iframe| on\w+=|style="|src="http/);
  });

  it('runs nothing, loads nothing from elsewhere, and is neither stored, indexed nor named to other sites', async () => {
    const { vault, link } = await sharedVault();
    const { headers } = await visit(vault, link.url);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow, noarchive',
    });
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('speaks the language of the browser', async () => {
    const { vault, link } = await sharedVault();
    const html = await (await visit(vault, link.url, { 'accept-language': 'fr-CH, en' })).text();
    expect(html).toContain('<html lang="fr">');
    expect(html).toContain('Partagée en lecture jusqu’au');
  });

  it('serves the files that the note shows, images in place and others as downloads, and no other file', async () => {
    const { vault, link } = await sharedVault();
    const html = await (await visit(vault, link.url)).text();
    const [image = '', offer = ''] = [...html.matchAll(/"(f\/[0-9a-f]{32})"/g)].map(([, address]) => address);
    const shown = await visit(vault, `${link.url}${image}`);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(pixel);
    expect(shown.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    const download = await visit(vault, `${link.url}${offer}`);
    expect(download.headers.get('content-type')).toBe('application/octet-stream');
    expect(download.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''offer.pdf`);
    const other = await share(vault, { path: 'private/secret-plan.md' });
    for (const address of [
      `${other.url}${image}`,
      `${link.url}f/${'0'.repeat(32)}`,
      `${link.url}private/secret-plan.md`,
      `${link.url}..%2f..%2fprivate%2fsecret-plan.md`,
      `${link.url}f/..%2f..%2fbeam.png`,
      `${link.url.slice(0, -2)}/`,
      `${origin}/s/%2F%2Fexample.org`,
      `${origin}/s/%00/`,
    ])
      expect([address, (await visit(vault, address)).status]).toEqual([address, 404]);
    const redirected = await visit(vault, link.url.replace(/\/$/, ''));
    expect(redirected.status).toBe(308);
    expect(new URL(redirected.headers.get('location') ?? '', link.url.replace(/\/$/, '')).href).toBe(
      link.url,
    );
  });

  it('shows a change of the note, and gives no access to the API', async () => {
    const { vault, link } = await sharedVault();
    await visit(vault, link.url);
    writeFileSync(join(vault.folder, path), '# The roof\n\nBeams of ash.\n');
    expect(await (await visit(vault, link.url)).text()).toContain('Beams of ash.');
    const secret = link.url.split('/').at(-2) ?? '';
    expect((await vault.send('/files/private/mail.md', { token: secret })).status).toBe(401);
    const changing = await vault.app.request(link.url, { method: 'POST', headers: { host } });
    expect(changing.status).toBe(401);
  });

  it('counts requests per address', async () => {
    const vault = await httpVault(files, {
      limits: { anonymousBurst: 3, anonymousRequestsPerSecond: 0.001 },
    });
    const link = await share(vault);
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await visit(vault, link.url)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

describe('a share link ends', () => {
  const update = (vault: HttpVault, sql: string): unknown =>
    vault.keepsake.state.databases().durable.prepare(sql).run();
  const move = (vault: HttpVault, from: string, to: string): Promise<unknown> =>
    vault.get('/files/move', { token: vault.owner, json: { from, to } });
  const ends: Record<string, (vault: HttpVault, link: Link) => unknown> = {
    'when it is revoked': (vault, { id }) =>
      vault.send(`/share-links/${id}`, { method: 'DELETE', token: vault.owner }),
    'on its day': (vault) => update(vault, 'update share_links set until = 1'),
    'when its note is moved': (vault) => move(vault, path, 'projects/roof/other.md'),
    'when its note is moved and another takes its path': async (vault) => {
      await move(vault, path, 'projects/roof/other.md');
      await move(vault, 'private/secret-plan.md', path);
    },
    'when its note is moved away and back': async (vault) => {
      await move(vault, path, 'projects/roof/other.md');
      await move(vault, 'projects/roof/other.md', path);
    },
    'when its note is deleted': (vault) =>
      vault.send(`/files/${path}`, { method: 'DELETE', token: vault.owner, headers: { 'if-match': '*' } }),
    'when its folder is moved': (vault) => move(vault, 'projects/roof', 'projects/house'),
    'when its note is forgotten': (vault) =>
      vault.get('/forget', { token: vault.owner, json: { kind: 'path', path, lines: null } }),
    'when a word of its path is forgotten': (vault) =>
      vault.get('/forget', { token: vault.owner, json: { kind: 'words', words: 'roof' } }),
    'when another program moves its note': (vault) =>
      renameSync(join(vault.folder, path), join(vault.folder, 'elsewhere.md')),
  };
  it.each(Object.keys(ends))('%s', async (name) => {
    const { vault, link } = await sharedVault();
    const { pathname } = new URL(link.url);
    expect((await visit(vault, link.url)).status).toBe(200);
    await ends[name]?.(vault, link);
    await expectGone(vault, `${origin}${pathname}`);
  });

  it('when its note is hidden from AI, and no hidden note can be shared', async () => {
    const { vault, link } = await sharedVault();
    const image = /"(f\/[0-9a-f]{32})"/.exec(await (await visit(vault, link.url)).text())?.[1] ?? '';
    const hide = async (pattern: string): Promise<void> => {
      const folder = join(vault.variables['XDG_CONFIG_HOME'] ?? '', 'keepsake');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'config.yaml'), `agents:\n  exclude: ['${pattern}']\n`);
      // The configuration is cached for a tenth of a second.
      await sleep(150);
    };
    await hide('projects/roof/bucket/**');
    expect((await visit(vault, link.url)).status).toBe(200);
    await expectGone(vault, `${link.url}${image}`);
    await hide('projects/**');
    await expectGone(vault, link.url);
    const json = { path, confirm: true };
    const refused = await vault.send('/share-links', { token: vault.owner, json });
    expect(await readProblem(refused)).toMatchObject({ status: 422, code: 'refused' });
  });

  it.each(['removed', 'made a reader'])('when the member who created it is %s', async (what) => {
    const vault = await httpVault(files);
    const { id, send } = await member(vault, 'writer');
    const link = await share(vault, {}, send);
    expect((await visit(vault, link.url)).status).toBe(200);
    if (what === 'removed') await vault.send(`/people/${id}`, { method: 'DELETE', token: vault.owner });
    else await vault.send(`/people/${id}`, { method: 'PUT', token: vault.owner, json: { role: 'reader' } });
    await expectGone(vault, link.url);
    await vault.send(`/people/${id}`, { method: 'PUT', token: vault.owner, json: { role: 'writer' } });
    await expectGone(vault, link.url);
  });
});

describe('share links', () => {
  it('are created by people who may write: not by readers, tokens or AI clients', async () => {
    const vault = await httpVault(files);
    const { send } = await member(vault, 'reader');
    const json = { path, confirm: true };
    expect(await readProblem(await vault.send('/share-links', { ...send, json }))).toMatchObject({
      code: 'wrong-scope',
    });
    for (const token of [vault.writer, vault.reader])
      expect((await vault.send('/share-links', { token, json })).status).toBe(403);
    expect((await vault.send('/share-links', { token: null, json })).status).toBe(401);
    expect((await vault.send('/share-links', { token: vault.writer })).status).toBe(403);
    const { links } = await vault.get<{ links: Link[] }>('/share-links', { token: vault.owner });
    expect(links).toEqual([]);
  });

  it('are listed without their secret, to owners all and to writers their own', async () => {
    const { vault, link } = await sharedVault();
    const { send } = await member(vault, 'writer');
    const own = await share(vault, { path: 'private/mail.md', days: 1 }, send);
    const list = async (options: Send): Promise<Link[]> =>
      (await vault.get<{ links: Link[] }>('/share-links', options)).links;
    const { url, ...shown } = link;
    expect(await list({ token: vault.owner })).toEqual([expect.objectContaining({ by: 'Léa' }), shown]);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4100\/s\/[\w-]{43}\/$/);
    expect((await list(send)).map(({ id }) => id)).toEqual([own.id]);
    expect((await vault.send(`/share-links/${link.id}`, { ...send, method: 'DELETE' })).status).toBe(404);
    expect((await visit(vault, link.url)).status).toBe(200);
    expect((await vault.send(`/share-links/${own.id}`, { ...send, method: 'DELETE' })).status).toBe(204);
  });

  it('end after 30 days unless another number of days is chosen', async () => {
    const before = Date.now();
    const { vault, link } = await sharedVault();
    const dayMs = 86_400_000;
    expect(Math.floor((link.until - before) / dayMs)).toBe(30);
    expect(Math.floor(((await share(vault, { days: 7 })).until - before) / dayMs)).toBe(7);
    for (const days of [0, 366, 1.5])
      expect(
        (await vault.send('/share-links', { token: vault.owner, json: { path, days, confirm: true } }))
          .status,
      ).toBe(422);
  });

  it('are stored as hashes, and their secret is in no log entry', async () => {
    const { vault, link } = await sharedVault();
    const secret = link.url.split('/').at(-2) ?? '';
    const { durable } = vault.keepsake.state.databases();
    expect(durable.prepare('select hash from share_links').pluck().all()).toEqual([hashSecret(secret)]);
    await visit(vault, link.url);
    await visit(vault, link.url.replace(/\/$/, ''));
    await visit(vault, `${link.url}f/${'0'.repeat(32)}`);
    expect(vault.log.length).toBeGreaterThan(3);
    expect(vault.log.map((entry) => entry['path'])).toContain('/s/[secret]/');
    expect(JSON.stringify(vault.log)).not.toContain(secret);
  });

  it('to an address of this machine are created only with confirmation', async () => {
    const vault = await httpVault(files, { allowedHosts: ['notes.example.org'] });
    const send = (headers = {}) =>
      vault.send('/share-links', { token: vault.owner, json: { path }, headers });
    expect(await readProblem(await send())).toMatchObject({ code: 'unconfirmed' });
    expect(await vault.get('/share-links', { token: vault.owner })).toMatchObject({ isLocal: true });
    const address = 'http://notes.example.org/api/vaults/notes/share-links';
    const created = await vault.app.request(address, {
      method: 'POST',
      headers: {
        host: 'notes.example.org',
        authorization: `Bearer ${vault.owner}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ path }),
    });
    expect(await created.json()).toMatchObject({
      url: expect.stringMatching(/^http:\/\/notes\.example\.org\/s\//),
    });
  });

  it('are for notes only', async () => {
    const vault = await httpVault(files);
    for (const each of [
      'projects/roof',
      'projects/roof/bucket/beam.png',
      'missing.md',
      '../outside.md',
      '.keepsake/x.md',
    ])
      expect(
        (await vault.send('/share-links', { token: vault.owner, json: { path: each, confirm: true } }))
          .status,
      ).toBe(422);
  });
});
