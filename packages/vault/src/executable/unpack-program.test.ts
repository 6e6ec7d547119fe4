import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTemporaryFolder } from '../../../../test/use-temporary-folder.ts';
import { packArchive, readArchive } from './archive.ts';
import { unpackProgram, UnpackError } from './unpack-program.ts';
import type { UnpackOptions } from './unpack-program.ts';

const root = useTemporaryFolder();
const dayMs = 24 * 3_600_000;

function programOf(version: string, count = 3): Pick<UnpackOptions, 'hash' | 'archive'> {
  const files = Array.from({ length: count }, (_, index) => ({
    name: `part${index % 2}/file-${index}.js`,
    mode: 0o600,
    bytes: Buffer.from(`${version} ${index}`),
  }));
  const packed = packArchive(files, 1);
  return { hash: createHash('sha256').update(packed).digest('hex'), archive: () => packed };
}

const mustNotUnpack = (): never => {
  throw new Error('unpacked again');
};

describe('unpacking the program', () => {
  it('writes every file once, and later starts use the folder', () => {
    const home = join(root, 'once/program');
    const program = programOf('1');
    const folder = unpackProgram({ home, ...program });
    expect(readFileSync(join(folder, 'part1/file-1.js'), 'utf8')).toBe('1 1');
    expect(unpackProgram({ home, hash: program.hash, archive: mustNotUnpack })).toBe(folder);
    expect(readdirSync(home)).toEqual([program.hash.slice(0, 16)]);
  });

  it('keeps versions apart', () => {
    const home = join(root, 'versions');
    const [old, next] = [programOf('1'), programOf('2')].map((each) => unpackProgram({ home, ...each }));
    expect(readFileSync(join(old ?? '', 'part0/file-0.js'), 'utf8')).toBe('1 0');
    expect(readFileSync(join(next ?? '', 'part0/file-0.js'), 'utf8')).toBe('2 0');
  });

  it('refuses an archive with another hash and leaves nothing behind', () => {
    const home = join(root, 'damaged');
    const { hash } = programOf('1');
    expect(() => unpackProgram({ home, hash, archive: programOf('2').archive })).toThrow(/damaged; download/);
    expect(readdirSync(home)).toEqual([]);
  });

  it('completes after a process that was killed half-way', () => {
    const home = join(root, 'half');
    const program = programOf('1');
    const half = join(home, 'new-0123456789abcdef');
    mkdirSync(join(half, 'part0'), { recursive: true });
    writeFileSync(join(half, 'part0/file-0.js'), '1');
    const folder = unpackProgram({ home, ...program });
    expect(readFileSync(join(folder, 'part0/file-0.js'), 'utf8')).toBe('1 0');
    expect(existsSync(half)).toBe(true); // another process could still be writing it
    expect(unpackProgram({ home, ...program, now: () => Date.now() + 2 * dayMs })).toBe(folder);
    expect(existsSync(half)).toBe(false);
  });

  it('replaces a folder without marker, and once a day one with missing or shortened files', () => {
    const home = join(root, 'cleaned');
    const program = programOf('1');
    const folder = join(home, program.hash.slice(0, 16));
    mkdirSync(folder, { recursive: true });
    expect(unpackProgram({ home, ...program })).toBe(folder);
    writeFileSync(join(folder, 'part1/file-1.js'), '');
    unpackProgram({ home, ...program, now: () => Date.now() + 2 * dayMs });
    expect(readFileSync(join(folder, 'part1/file-1.js'), 'utf8')).toBe('1 1');
  });

  it('removes versions that were not used for a month, and nothing else', () => {
    const home = join(root, 'old');
    const [unused, used] = [programOf('1'), programOf('2')].map((each) => unpackProgram({ home, ...each }));
    mkdirSync(join(home, 'notes'));
    const now = Date.now();
    utimesSync(join(unused ?? '', 'complete.json'), now / 1000, (now - 31 * dayMs) / 1000);
    utimesSync(join(used ?? '', 'complete.json'), now / 1000, (now - 29 * dayMs) / 1000);
    utimesSync(join(home, 'notes'), 0, 0);
    const current = unpackProgram({ home, ...programOf('3') });
    expect([unused, used, current, join(home, 'notes')].map((each) => existsSync(each ?? ''))).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  it('runs nothing from a folder that others can write to', () => {
    const home = join(root, 'shared');
    const program = programOf('1');
    const folder = unpackProgram({ home, ...program });
    chmodSync(folder, 0o777);
    expect(() => unpackProgram({ home, ...program })).toThrow(UnpackError);
    chmodSync(folder, 0o700);
    chmodSync(home, 0o770);
    expect(() => unpackProgram({ home, ...program })).toThrow(/can be changed by one/);
  });

  it('says what to do if the folder cannot be written', () => {
    const home = join(root, 'file');
    writeFileSync(home, '');
    expect(() => unpackProgram({ home: join(home, 'x'), ...programOf('1') })).toThrow(
      /cannot be unpacked .*set XDG_CACHE_HOME/,
    );
  });

  it('is complete for each of several processes that start at once, of which some are killed', async () => {
    const home = join(root, 'concurrent');
    const { hash, archive } = programOf('1', 400);
    const file = join(root, 'archive');
    writeFileSync(file, archive());
    const script = `
      import { existsSync, readdirSync, readFileSync } from 'node:fs';
      import { join } from 'node:path';
      import { unpackProgram } from ${JSON.stringify(new URL('./unpack-program.ts', import.meta.url).href)};
      process.stdout.write('started');
      const folder = unpackProgram({
        home: ${JSON.stringify(home)},
        hash: '${hash}',
        archive: () => readFileSync(${JSON.stringify(file)}),
      });
      const found = ['part0', 'part1'].flatMap((part) => readdirSync(join(folder, part)));
      process.exit(found.length === 400 && existsSync(join(folder, 'complete.json')) ? 0 : 3);
    `;
    const exits = Array.from({ length: 5 }, async (_, index) => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
      await once(child.stdout, 'data');
      if (index >= 3) child.kill('SIGKILL');
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    });
    expect((await Promise.all(exits)).slice(0, 3)).toEqual([0, 0, 0]);
    expect(readdirSync(home).filter((name) => !name.startsWith('new-'))).toEqual([hash.slice(0, 16)]);
  });
});

it('an archive gives back names, modes and bytes', () => {
  const files = [
    { name: 'a/é.js', mode: 0o600, bytes: Buffer.from([0, 255, 1]) },
    { name: 'empty', mode: 0o700, bytes: Buffer.alloc(0) },
  ];
  expect(readArchive(packArchive(files, 1))).toEqual(files);
});
