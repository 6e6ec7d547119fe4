import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { layOut } from '../temporary-vault.ts';
import { importVault, picture } from './import-vault.ts';
import { filesIn } from './snapshot.ts';

const id = (digit: string): string => digit.repeat(32);

const pages = {
  [`Home ${id('a')}.md`]: `# Home\n\n[Travel: 2025](Home%20${id('a')}/Travel%202025%20${id('b')}.md)\n[Tasks](Home%20${id('a')}/Tasks%20${id('d')}.csv)\n`,
  [`Home ${id('a')}/Travel 2025 ${id('b')}.md`]: `# Travel: 2025\n\n![](Travel%202025%20${id('b')}/Untitled.png)\n[up](../Home%20${id('a')}.md)\n`,
  [`Home ${id('a')}/Travel 2025 ${id('b')}/Untitled.png`]: picture,
  [`Home ${id('a')}/Travel 2025 ${id('c')}.md`]: '# Travel 2025, again\n',
  [`Home ${id('a')}/Tasks ${id('d')}.csv`]: 'Name,Done\nTickets,No\nHôtel,Yes\n',
  [`Home ${id('a')}/Tasks ${id('d')}_all.csv`]: 'Name,Done\nTickets,No\nHôtel,Yes\nOld,Yes\n',
  [`Home ${id('a')}/Tasks ${id('d')}/Tickets ${id('e')}.md`]: '# Tickets\n',
};

async function zipOf(entries: Record<string, string | Buffer>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(entries))
    archive.addBuffer(Buffer.from(content as string), name);
  archive.end();
  const chunks: Buffer[] = [];
  for await (const chunk of archive.outputStream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const expected = [
  'bucket/notion/Home.md',
  'bucket/notion/Home/Tasks.csv',
  'bucket/notion/Home/Tasks.md',
  'bucket/notion/Home/Tasks/Tickets.md',
  'bucket/notion/Home/Tasks_all.csv',
  'bucket/notion/Home/Travel 2025-2.md',
  'bucket/notion/Home/Travel 2025.md',
  'bucket/notion/Home/Travel 2025/Untitled.png',
  'overview.md',
];

it('a Notion import removes the ids from names and keeps links working', async () => {
  const { run, read, folder } = await importVault(pages);
  expect(await run()).toMatchObject({
    kind: 'notion',
    into: 'vault/bucket/notion',
    added: { notes: 4, documents: 1, pictures: 1, attachments: 1 },
    renamed: 0,
  });
  expect(filesIn(folder)).toEqual(expected);
  expect(read('bucket/notion/Home.md')).toContain(
    '[Travel: 2025](Home/Travel%202025.md)\n[Tasks](Home/Tasks.csv)',
  );
  expect(read('bucket/notion/Home/Travel 2025.md')).toContain(
    '![](Travel%202025/Untitled.png)\n[up](../Home.md)',
  );
  expect(read('bucket/notion/Home/Tasks.md')).toMatch(/original: Tasks\.csv[\s\S]*\| Hôtel +\| Yes/);
});

it('a Notion import uses the times that a page states, and links the rows of a table to their pages', async () => {
  const table = `Tasks ${id('d')}`;
  const { run, read } = await importVault({
    [`${table}.csv`]: 'Name,Done\nBuy: tickets,No\nHotel,Yes\nTwice,No\n',
    [`${table}/Buy tickets ${id('e')}.md`]:
      '# Buy: tickets\n\nCreated: March 3, 2024 2:15 PM\nTags: trip\nLast edited time: December 31, 2024 12:05 AM\n\nWords.\n',
    [`${table}/Twice ${id('1')}.md`]: '# Twice\n\nCreated: February 31, 2024\n',
    [`${table}/Twice ${id('2')}.md`]: '# Twice\n\nNot a property of Notion.\n\nCreated: March 3, 2024\n',
  });
  await run();
  expect(read('bucket/notion/Tasks/Buy tickets.md')).toMatch(
    /^---\ncreated: 2024-03-03T14:15:00\nupdated: 2024-12-31T00:05:00\n/,
  );
  for (const name of ['Twice', 'Twice-2'])
    expect(read(`bucket/notion/Tasks/${name}.md`)).not.toMatch(/^created: 2024/m);
  const rows = read('bucket/notion/Tasks.md').split('\n').slice(-4);
  expect(rows).toEqual([
    expect.stringMatching(/^\| \[Buy: tickets\]\(Tasks\/Buy%20tickets\.md\) +\| No/),
    expect.stringMatching(/^\| Hotel +\| Yes/),
    expect.stringMatching(/^\| Twice +\| No/),
    '',
  ]);
});

it('a later Notion import puts new subpages into a folder with the name of their page', async () => {
  const { run, source, folder } = await importVault({ [`Home ${id('a')}.md`]: '# Home\n' });
  await run();
  layOut(source, { [`Home ${id('a')}/Sub ${id('b')}.md`]: `# Sub\n\n[up](../Home%20${id('a')}.md)\n` });
  await run();
  expect(filesIn(folder)).toEqual(['bucket/notion/Home.md', 'bucket/notion/Home/Sub.md', 'overview.md']);
});

it('a Notion import reads a downloaded export, which is an archive in an archive, and imports nothing twice', async () => {
  const { run, source, folder } = await importVault({});
  for (const name of ['first', 'second']) {
    const file = join(source, `../${name}.zip`);
    const inner = await zipOf(
      Object.fromEntries(Object.entries(pages).map(([path, text]) => [`Export-1/${path}`, text])),
    );
    const stream = createWriteStream(file);
    stream.end(await zipOf({ 'ExportBlock-1-Part-1.zip': inner }));
    await finished(stream);
  }
  expect((await run({ source: join(source, '../first.zip') })).added.notes).toBe(4);
  expect(filesIn(folder)).toEqual(expected);
  expect(await run({ source: join(source, '../second.zip') })).toMatchObject({ id: null, unchanged: 7 });
});
