import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReadValue } from '../../packages/vault/src/contract/index.ts';
import { textOf } from '../mcp/clients.ts';
import { roomVault } from '../room-vault.ts';
import type { Files } from '../temporary-vault.ts';
import { departs } from './departs.ts';
import { bucketPath, changelogPath, exampleVault, note, png, statePath, tasksPath } from './example-vault.ts';
import { openInterfaces, openMcp } from './interfaces.ts';

async function result(input: object, files: Files = exampleVault) {
  const vault = await roomVault(files);
  const outcome = await vault.call('read', input);
  if (outcome.kind === 'refused') return expect.unreachable(outcome.message);
  const { text, images, value } = outcome.result;
  return { text, images, value: value as ReadValue };
}

async function read(input: object, files?: Files): Promise<string> {
  return (await result(input, files)).text;
}

async function refusal(input: object): Promise<string> {
  const vault = await roomVault(exampleVault);
  const outcome = await vault.call('read', input);
  return outcome.kind === 'refused' ? outcome.message : expect.unreachable(outcome.result.text);
}

const headersOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => (/^```(?=.)/.test(line) ? [line.slice(3)] : []));

const picture = `${bucketPath}maquette.png`;
const pictureLine = `[image ${picture} · png · 1×1]`;

describe('read: images', () => {
  it('B23 recognizes .png, .jpg, .jpeg, .gif and .webp', async () => {
    const names = ['a.png', 'b.jpg', 'c.jpeg', 'd.gif', 'e.webp', 'F.PNG'];
    const files = Object.fromEntries([...names, 'g.bmp'].map((name) => [`i/${name}`, png]));
    const { images } = await result({ paths: 'vault/i/' }, files);
    expect(images.map(({ path }) => path)).toEqual(
      ['F.PNG', ...names.slice(0, 5)].map((name) => `vault/i/${name}`),
    );
  });

  it('B24 loads an image into the multimodal context of the client', async () => {
    const { callMcp } = await openMcp(exampleVault);
    const { content } = await callMcp('vault_read', { paths: picture });
    expect(content.filter(({ type }) => type === 'image')).toEqual([
      { type: 'image', mimeType: 'image/png', data: png.toString('base64') },
    ]);
  });

  it('B25 does not turn an image into text: the text only names it', async () => {
    const { callMcp } = await openMcp(exampleVault);
    expect(textOf(await callMcp('vault_read', { paths: picture }))).toBe(pictureLine);
  });

  it('B26 loads all of an image with head or tail', async () => {
    const whole = await result({ paths: picture });
    for (const budget of [{ head: 1 }, { tail: 1 }]) {
      const { text, images } = await result({ paths: picture, ...budget });
      expect({ budget, text, images }).toEqual({ budget, text: whole.text, images: whole.images });
    }
    expect(whole.images).toMatchObject([{ data: png }]);
  });

  it('B27 returns numbered text and images in the same call', async () => {
    const { text, images } = await result({ paths: [picture, `${bucketPath}specs.md:5-6`] });
    expect(text).toBe(
      `${pictureLine}\n\n\`\`\`${bucketPath}specs.md (lines 5-6)\n5  | # Specs\n6  | Les virements sont acceptés.\n\`\`\``,
    );
    expect(images).toEqual([{ path: picture, mediaType: 'image/png', data: png }]);
  });

  it('B28 loads the images of a folder and numbers its notes', async () => {
    const { text, images } = await result({ paths: bucketPath });
    expect(images.map(({ path }) => path)).toEqual([picture]);
    expect(headersOf(text)).toEqual([`${bucketPath}specs.md`]);
    expect(text).toContain('\n5  | # Specs\n');
  });
});

describe('read: typical uses', () => {
  it('B32 returns description, state, tasks and changelog of a project, and not its bucket', async () => {
    const text = await read({ paths: 'vault/projects/startup-x/' });
    const names = ['changelog', 'description', 'state', 'tasks'];
    expect(headersOf(text)).toEqual(names.map((name) => `vault/projects/startup-x/${name}.md`));
    expect(text).not.toContain('bucket');
  });

  it('B33 compares the states of several projects, by their paths or by a wildcard', async () => {
    const paths = ['vault/projects/appart-search/state.md', statePath];
    expect(headersOf(await read({ paths: paths.toReversed() }))).toEqual(paths.toReversed());
    expect(headersOf(await read({ paths: 'vault/projects/*/state.md' }))).toEqual(paths);
  });

  it('B34 reads the review.md of an inbox item', async () => {
    const text = await read({ paths: 'vault/inbox/2025-07-14-appel/' });
    expect(headersOf(text)).toEqual(['vault/inbox/2025-07-14-appel/review.md']);
    expect(text).toContain('\n8  | À quel projet cela appartient-il ?\n');
  });

  it('B35 reads a whole bucket', async () => {
    const files = { ...exampleVault, 'projects/startup-x/bucket/appel.md': note(['# Appel']) };
    const { text, images, value } = await result({ paths: bucketPath }, files);
    expect(headersOf(text)).toEqual([`${bucketPath}appel.md`, `${bucketPath}specs.md`]);
    expect(images.map(({ path }) => path)).toEqual([picture]);
    expect(value.errors).toEqual([]);
  });

  it('B37 must have shown the lines before edit replaces them; search and concat count as well', async () => {
    const edit = { path: statePath, old: '8  | actif', new: 'en pause' };
    const first: Record<string, object | null> = {
      nothing: null,
      read: { paths: statePath },
      concat: { files: [{ path: statePath, lines: '7-8' }] },
      search: { queries: ['actif'], scopes: ['projects/startup-x/'] },
    };
    const errors: Record<string, boolean> = {};
    for (const [tool, input] of Object.entries(first)) {
      const { callMcp } = await openMcp(exampleVault);
      if (input !== null) await callMcp(`vault_${tool}`, input);
      errors[tool] = (await callMcp('vault_edit', edit)).isError ?? false;
    }
    expect(errors).toEqual({ nothing: true, read: false, concat: false, search: false });
    departs('B37', 'docs/adr/0095-departures-from-the-specification.md');
  });

  it('B38 is needed because edit takes the exact original text', async () => {
    const { callMcp, folder } = await openMcp(exampleVault);
    await callMcp('vault_read', { paths: statePath });
    const inexact = await callMcp('vault_edit', { path: statePath, old: '8  | Actif', new: 'en pause' });
    expect(inexact.isError).toBe(true);
    expect(textOf(inexact)).toContain('old does not match the file');
    expect(textOf(inexact)).toContain('8  | actif');
    const file = join(folder, 'projects/startup-x/state.md');
    expect(readFileSync(file, 'utf8')).toBe(exampleVault['projects/startup-x/state.md']);
    const exact = await callMcp('vault_edit', { path: statePath, old: '8  | actif', new: 'en pause' });
    expect(exact.isError ?? false).toBe(false);
    expect(readFileSync(file, 'utf8')).toContain('\nen pause\n');
  });
});

describe('read: edge cases', () => {
  it('B39 names a missing path in an error and reads the others', async () => {
    const text = await read({ paths: ['vault/gone.md', 'vault/a.md'] }, { 'a.md': 'one\n' });
    const [block, error, ...others] = text.split('\n\n');
    expect(block).toBe('```vault/a.md\n1  | one\n```');
    expect(error).toMatch(/^error: vault\/gone\.md: file not found\b.*$/);
    expect(others).toEqual([]);
  });

  it('B40 shows only the header of an empty folder', async () => {
    expect(await read({ paths: 'vault/empty/' }, { 'empty/': null })).toBe('```vault/empty/\n```');
  });

  it('B41 refuses head 0 and tail 0', async () => {
    const message = 'must be at least 1; omit it to read everything';
    expect(await refusal({ paths: statePath, head: 0 })).toBe(`error: read.head: ${message}`);
    expect(await refusal({ paths: statePath, tail: 0 })).toBe(`error: read.tail: ${message}`);
  });

  it('B42 returns the whole file if head or tail is more than its size', async () => {
    const whole = await read({ paths: statePath });
    expect(headersOf(whole)).toEqual([statePath]);
    for (const budget of [{ head: 100_000 }, { tail: 100_000 }])
      expect(await read({ paths: statePath, ...budget })).toBe(whole);
    // Larger than one result: all that is missing is named.
    const row = `${'.'.repeat(39)}\n`;
    const { text, value } = await result({ paths: 'a.md', head: 30_000 }, { 'a.md': row.repeat(2_500) });
    const last = value.files[0]?.lines?.end ?? 0;
    expect(value.leftOut).toEqual([{ path: 'vault/a.md', lines: `${last + 1}-2500` }]);
    expect(text).toContain(`vault/a.md:${last + 1}-2500`);
  });

  it('B43 returns only the frontmatter of a file without text', async () => {
    expect(await read({ paths: 'a.md' }, { 'a.md': '---\ntokens: 0\n---\n' })).toBe(
      '```vault/a.md\n1  | ---\n2  | tokens: 0\n3  | ---\n```',
    );
  });

  it('B44 refuses head and tail together at every interface', async () => {
    const vault = await openInterfaces(exampleVault);
    const input = { paths: statePath, head: 10, tail: 10 };
    const message = 'head and tail cannot be used together; pass one of them';
    const answered = await vault.callMcp('vault_read', input);
    expect([answered.isError, textOf(answered)]).toEqual([true, `error: vault_read: ${message}`]);
    expect(await vault.get('/tools/read', { json: { input } })).toEqual({
      kind: 'refused',
      message: `error: read: ${message}`,
    });
  });

  it('B45 ignores head and tail of an image without a message', async () => {
    const { text, value } = await result(
      { paths: [picture, 'vault/a.md'], head: 1 },
      {
        ...exampleVault,
        'a.md': 'one\n',
      },
    );
    expect(text).toBe(`${pictureLine}\n\n\`\`\`vault/a.md\n1  | one\n\`\`\``);
    expect(value).toMatchObject({ errors: [], notes: [], leftOut: [] });
  });

  it('B46 ignores the subfolders of a folder without a message', async () => {
    const { text, value } = await result({ paths: 'vault/d/' }, { 'd/sub/x.md': 'x\n', 'd/y.md': 'y\n' });
    expect(text).toBe('```vault/d/y.md\n1  | y\n```');
    expect(value).toMatchObject({ errors: [], notes: [], leftOut: [] });
  });

  it('B47 refuses an empty list of paths', async () => {
    expect(await refusal({ paths: [] })).toBe('error: read.paths: must have at least 1 entry');
  });
});

describe('read: further features', () => {
  it('B48 has a section of further features at the end of its page', () => {
    const page = readFileSync('docs/tools/read.md', 'utf8');
    expect(page.split(/^## /m).at(-1)).toMatch(/^Further features\n\n- /);
    const french = readFileSync('docs/fr/tools/read.md', 'utf8');
    expect(french.split(/^## /m).at(-1)).toMatch(/^Features supplémentaires\n\n- /);
  });

  it('B49 shows the headings of levels 1 and 2 and the size of what is below them with folded', async () => {
    const text = await read({ paths: changelogPath, folded: true });
    expect(text).toBe(
      [
        '```vault/projects/startup-x/changelog.md (folded, 19 lines)',
        '1  | ---',
        '2  | created: 2025-01-10T10:00:00',
        '3  | updated: 2025-07-14T18:30:00',
        '4  | tokens: 290',
        '5  | ---',
        '7  | # 2025-07-14',
        "9  | ## [décision] Abandon de l'API externe",
        '   | ... (lines 10-12 · 37 tokens)',
        '13 | ## Specs reçues du client v2.1',
        '   | ... (lines 14-15 · 17 tokens)',
        '16 | # 2025-03-03',
        '18 | ## Début du projet',
        '   | ... (lines 19-19 · 7 tokens)',
        '```',
      ].join('\n'),
    );
    expect(await read({ paths: tasksPath, folded: true })).toContain(
      '\n7  | # Appeler le comptable pour TVA Q3\n',
    );
  });
});
