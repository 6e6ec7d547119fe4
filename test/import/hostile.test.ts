import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  createWriteStream,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { openSource } from '../../packages/vault/src/import/open-source.ts';
import { costRatio } from '../cost-ratio.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { importVault, undo } from './import-vault.ts';
import { filesIn, snapshot } from './snapshot.ts';

const isRoot = process.getuid?.() === 0;

describe('hostile folder', () => {
  it('is read without following links, opening devices or looping', async () => {
    const { run, source, folder } = await importVault({
      '.obsidian/x': '',
      'a.md': 'a\n',
      'sub/b.md': 'b\n',
    });
    writeFileSync(join(source, '../secret.md'), 'secret\n');
    symlinkSync('../secret.md', join(source, 'out.md'));
    symlinkSync('..', join(source, 'sub/loop'));
    symlinkSync('/etc', join(source, 'etc'));
    execFileSync('mkfifo', [join(source, 'pipe.md')]);
    writeFileSync(
      Buffer.concat([Buffer.from(`${source}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.md')]),
      'x',
    );
    writeFileSync(join(source, 'closed.md'), 'closed\n');
    chmodSync(join(source, 'closed.md'), 0);
    mkdirSync(join(source, 'closed'));
    chmodSync(join(source, 'closed'), 0);
    const { leftOut, added } = await run();
    chmodSync(join(source, 'closed'), 0o700);
    const reasons = Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason]));
    expect(reasons).toMatchObject({
      'out.md': expect.stringContaining('link'),
      'sub/loop': expect.stringContaining('link'),
      etc: expect.stringContaining('link'),
      'pipe.md': expect.stringContaining('not a regular file'),
      ...(!isRoot && { 'closed.md': 'unreadable (EACCES)', closed: 'unreadable (EACCES)' }),
    });
    expect(Object.values(reasons)).toContainEqual(expect.stringContaining('not UTF-8'));
    expect(added.notes).toBe(isRoot ? 3 : 2);
    expect(filesIn(folder).some((path) => path.includes('secret'))).toBe(false);
  });

  it('is imported under portable names, and its links point to these names', async () => {
    const long = 'é'.repeat(120);
    const { run, folder, read, keepsake } = await importVault({
      '.obsidian/x': '',
      'con.md': '# Con\n',
      'aux/nul.txt': 'x',
      'What?.md': '# What\n',
      'what.md': '# other\n',
      'Same.md': '# Same\n',
      'same.md': '# same\n',
      'dots.../end .md': '# dots\n',
      [`${long}.md`]: '# long\n',
      'tab\tand\nline.md': '# tab\n',
      'back\\slash.md': '# back\n',
      'links.md':
        '[[What?]] [[con]] [a](aux/nul.txt) [b](<dots.../end .md>) [[Same]] [c](same.md) [d](tab%09and%0Aline.md)\n',
    });
    const before = snapshot(folder);
    const report = await run();
    const names = filesIn(folder).map((path) => path.replace('bucket/notes/', ''));
    expect(names.map((name) => name.toLowerCase()).toSorted()).toEqual(
      [
        'file-aux/file-nul.txt',
        'back-slash.md',
        'dots/end .md',
        'file-con.md',
        'links.md',
        'overview.md',
        'same-2.md',
        'same.md',
        'tab-and-line.md',
        'what-2.md',
        'what.md',
        `${'é'.repeat(98)}.md`,
      ].toSorted(),
    );
    expect(read('bucket/notes/links.md')).toContain(
      '[[What-2|What?]] [[file-con|con]] [a](file-aux/file-nul.txt) [b](<dots/end .md>) [[Same]] [c](same-2.md) [d](tab-and-line.md)',
    );
    expect(report.renamed).toBeGreaterThanOrEqual(8);
    expect(await undo(keepsake, report.id)).toBe('written');
    expect(snapshot(folder)).toEqual(before);
  });

  it('is imported with a warning about notes that are not text, which stay unchanged; a byte order mark stays', async () => {
    const binary = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x00]);
    const { run, folder } = await importVault({
      '.obsidian/x': '',
      'a.md': binary,
      'b.md': '\ufeff# B\r\n\r\nb\r\n',
    });
    const { warnings } = await run();
    expect(warnings).toEqual([expect.stringContaining('a.md is binary data')]);
    expect(readFileSync(join(folder, 'bucket/notes/a.md'))).toEqual(binary);
    expect(readFileSync(join(folder, 'bucket/notes/b.md'), 'utf8')).toMatch(
      /^\ufeff---\r\ncreated: [\s\S]*---\r\n\r\n# B\r\n\r\nb\r\n$/,
    );
  });

  it('is rejected if it is the vault or inside it; a vault inside the folder is skipped', async () => {
    const { run, folder } = await importVault({}, { 'bucket/a/b.md': 'b\n' });
    await expect(run({ source: folder })).rejects.toThrow('is already in the vault');
    await expect(run({ source: join(folder, 'bucket/a') })).rejects.toThrow('is already in the vault');
    writeFileSync(join(folder, '../beside.md'), 'beside\n');
    const report = await run({ source: join(folder, '..'), into: 'bucket/all' });
    expect(report.added.notes).toBe(1);
    expect(report.leftOut).toContainEqual({ path: 'vault', reason: 'this is the vault itself' });
    await expect(run({ source: join(folder, 'nothing') })).rejects.toThrow('cannot be read');
  });

  it('is processed in linear time, even with adversarial lines', async () => {
    const slowLines = (size: number) =>
      importVault({
        '.obsidian/x': '',
        // Not at the start of a line, where backticks open a fence.
        'a.md': ['[[', '``', '](', '![]('].map((mark) => `x ${mark.repeat(size)} x\n`).join(''),
        'b.md': `${Array.from({ length: Math.sqrt(size) }, (_, index) => '`'.repeat(index + 1)).join(' ')}\n`,
      });
    const [short, long] = [await slowLines(1_000), await slowLines(16_000)];
    // The ratio is 16 in linear time and 256 in quadratic time.
    expect(
      await costRatio(
        () => long.run({ isDryRun: true }),
        () => short.run({ isDryRun: true }),
      ),
    ).toBeLessThan(60);
    expect((await (await slowLines(200_000)).run()).added.notes).toBe(2);
  });
});

describe('hostile archive', () => {
  type Entry = { name: string; content: string | Buffer; mode?: number };

  async function archive(
    file: string,
    entries: Entry[],
    spoil: (bytes: Buffer) => Buffer = (bytes) => bytes,
  ): Promise<string> {
    const zip = new ZipFile();
    for (const { name, content, mode } of entries)
      zip.addBuffer(Buffer.from(content as string), name, {
        ...(mode !== undefined && { mode }),
        compress: false,
      });
    zip.end();
    const chunks: Buffer[] = [];
    for await (const chunk of zip.outputStream as AsyncIterable<Buffer>) chunks.push(chunk);
    const stream = createWriteStream(file);
    stream.end(spoil(Buffer.concat(chunks)));
    await finished(stream);
    return file;
  }
  const replaceAll = (bytes: Buffer, from: string, to: string): Buffer =>
    Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');

  it('is imported without links, damaged or duplicate entries, and entries whose path escapes the archive', async () => {
    const { run, source, folder } = await importVault({});
    const file = await archive(
      join(source, '../x.zip'),
      [
        { name: 'n/good.md', content: 'good\n' },
        { name: 'xx/evil.md', content: 'evil\n' },
        { name: '_etc/evil.md', content: 'evil\n' },
        { name: 'n/link.md', content: '/etc/passwd', mode: 0o120777 },
        { name: 'n/damaged.md', content: 'DAMAGED-HERE' },
        { name: 'n/twice.md', content: 'one\n' },
        { name: 'n/twic2.md', content: 'two\n' },
        { name: `n/${'x'.repeat(300)}.md`, content: 'long\n' },
      ],
      (bytes) =>
        replaceAll(
          replaceAll(replaceAll(replaceAll(bytes, 'xx/evil', '../evil'), '_etc/', '/etc/'), 'twic2', 'twice'),
          'DAMAGED-HERE',
          'damaged-here',
        ),
    );
    const { leftOut } = await run({ source: file });
    expect(Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason]))).toEqual({
      '../evil.md': 'path escapes the archive',
      '/etc/evil.md': 'path escapes the archive',
      'n/link.md': 'symbolic link',
      'n/twice.md': 'duplicate name',
      'damaged.md': 'unreadable (checksum mismatch)',
    });
    expect(filesIn(folder)).toEqual([
      'bucket/x/good.md',
      'bucket/x/twice.md',
      `bucket/x/${'x'.repeat(197)}.md`,
      'overview.md',
    ]);
  });

  it('cannot unpack to more than it declares', async () => {
    const { run, source, folder } = await importVault({});
    const file = await archive(
      join(source, '../x.zip'),
      [
        { name: 'n/a.md', content: 'x'.repeat(1000) },
        { name: 'n/b.md', content: 'b\n' },
      ],
      (bytes) => {
        // The sizes of the first file in the central directory.
        const at = bytes.indexOf('PK\u0001\u0002', 0, 'latin1');
        bytes.writeUInt32LE(3_000_000_000, at + 24);
        return bytes;
      },
    );
    await run({ source: file }).catch((error: Error) =>
      expect(error.message).toContain('is not a readable archive'),
    );
    expect(filesIn(folder).filter((path) => path.endsWith('a.md'))).toEqual([]);
  });

  /** Gives entries of the central directory these declared sizes. */
  function declareSizes(bytes: Buffer, size: number): Buffer {
    const header = Buffer.from('PK\u0001\u0002', 'latin1');
    for (let at = bytes.indexOf(header); at >= 0; at = bytes.indexOf(header, at + 1)) {
      bytes.writeUInt32LE(size, at + 20);
      bytes.writeUInt32LE(size, at + 24);
    }
    return bytes;
  }

  it.each([
    ['declare more than 1 GB together', 2, 600_000_000, 'are larger than 1 GB together'],
    ['are more than 100', 101, 100, 'contains more than 100 archives'],
  ])('is rejected before its inner archives are unpacked if they %s', async (_, count, size, message) => {
    const { run, source } = await importVault({});
    const parts = Array.from({ length: count }, (_each, index) => ({
      name: `part-${index}.zip`,
      content: 'x'.repeat(100),
    }));
    const file = await archive(join(source, '../x.zip'), parts, (bytes) => declareSizes(bytes, size));
    await expect(run({ source: file })).rejects.toThrow(message);
  });

  it('leaves no temporary file of its inner archives, even if one of them is damaged', async () => {
    const { source, folder } = await importVault({});
    const state = temporaryFolder();
    const inner = await archive(join(source, '../inner.zip'), [{ name: 'a.md', content: 'a\n' }]);
    const part = { name: 'part-1.zip', content: readFileSync(inner) };
    const file = await archive(join(source, '../x.zip'), [part, { ...part, name: 'part-2.zip' }]);
    const opened = await openSource(file, folder, state);
    expect(await Promise.all(opened.files.map(async (each) => String(await each.read())))).toEqual([
      'a\n',
      'a\n',
    ]);
    opened.close();
    const damaged = await archive(join(source, '../y.zip'), [part, { name: 'part-2.zip', content: 'x' }]);
    await expect(openSource(damaged, folder, state)).rejects.toThrow('is not a readable archive');
    expect(readdirSync(state)).toEqual([]);
  });

  it('is rejected if it is truncated', async () => {
    const { run, source } = await importVault({});
    const file = await archive(join(source, '../x.zip'), [{ name: 'a.md', content: 'a\n' }], (bytes) =>
      bytes.subarray(0, 60),
    );
    await expect(run({ source: file })).rejects.toThrow('is not a readable archive');
  });
});
