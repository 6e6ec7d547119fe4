import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { program } from './program.ts';
import { racesIn } from './races.ts';
import { leftovers } from './scenario.ts';

/** `mount` mounts a file system at a folder and returns a function that unmounts it. */
type FileSystem = { name: string; needs: string[]; mount: (folder: string, at: string) => () => void };

const fileSystems: FileSystem[] = [
  {
    name: 'exFAT',
    needs: ['mkfs.exfat', 'mount.exfat-fuse', 'losetup'],
    mount(folder, at) {
      const image = join(folder, 'image');
      execFileSync('truncate', ['-s', '256M', image]);
      execFileSync('mkfs.exfat', [image], { stdio: 'ignore' });
      const device = execFileSync('losetup', ['--find', '--show', image], { encoding: 'utf8' }).trim();
      execFileSync('mount.exfat-fuse', [device, at], { stdio: 'ignore' });
      return () => {
        unmount(at);
        execFileSync('losetup', ['--detach', device]);
      };
    },
  },
  {
    name: 'FUSE without links',
    needs: ['fusermount3'],
    mount(folder, at) {
      const below = join(folder, 'below');
      mkdirSync(below);
      const server = spawn('/usr/bin/python3', [join(import.meta.dirname, 'without-links.py'), below, at], {
        stdio: 'ignore',
      });
      for (let attempt = 0; !isMounted(at) && attempt < 100; attempt += 1) spawnSync('sleep', ['0.1']);
      return () => {
        unmount(at);
        server.kill('SIGTERM');
      };
    },
  },
];

/**
 * Uses real file systems without hard links or atomic exchange: creates a vault, imports a data export, creates,
 * changes, moves, deletes and restores notes while editors save concurrently, and checks that doctor reports how files
 * are changed.
 */
export async function filesystemsCampaign(count: number): Promise<number> {
  let [failures, tried] = [0, 0];
  for (const each of fileSystems) {
    const folder = mkdtempSync(join(tmpdir(), 'keepsake-filesystem-'));
    const at = join(folder, 'mount');
    mkdirSync(at);
    const mounted = tryMount(each, folder, at);
    if (typeof mounted === 'string') console.log(`filesystems: ${each.name} is skipped, because ${mounted}`);
    else {
      tried += 1;
      try {
        failures += await useFileSystem(each.name, folder, at, count);
      } finally {
        mounted();
      }
    }
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`filesystems: ${count} changes and ${count} races on each of ${tried} file systems`);
  return failures;
}

/** Mounts a file system. Returns a function that unmounts it, or the reason why it cannot be mounted. */
function tryMount({ needs, mount }: FileSystem, folder: string, at: string): (() => void) | string {
  if (process.getuid?.() !== 0) return 'mounting needs root';
  for (const tool of needs) if (spawnSync('which', [tool]).status !== 0) return `${tool} is not installed`;
  try {
    const end = mount(folder, at);
    return isMounted(at) ? end : 'it cannot be mounted';
  } catch (error) {
    return `it cannot be mounted (${String(error).split('\n')[0]})`;
  }
}

async function useFileSystem(name: string, folder: string, at: string, count: number): Promise<number> {
  const [vault, state, source] = [join(at, 'vault'), join(folder, 'state'), join(folder, 'export')];
  const run = (...args: string[]): string => {
    const place = ['--vault', vault, '--state', state];
    const { stdout, stderr } = spawnSync(process.execPath, [program, ...args, ...place], {
      encoding: 'utf8',
    });
    return stdout + stderr;
  };
  const complaints: string[] = [];
  execFileSync(process.execPath, [program, 'init', vault]);
  mkdirSync(source);
  for (const number of [1, 2, 3])
    writeFileSync(join(source, `imported-${number}.md`), `imported ${number}\n`);
  run('import', source);
  const imported = readdirSync(vault, { recursive: true }).filter((path) =>
    String(path).includes('imported-'),
  );
  if (imported.length !== 3) complaints.push(`${imported.length} of 3 files were imported`);
  const said = run('doctor', '--verbose');
  if (!said.includes('no atomic exchange') || !said.includes('no hard links'))
    complaints.push(`doctor does not report how files are changed: ${said}`);
  complaints.push(...(await changeNotes(vault, state, count)), ...leftovers(vault));
  for (const complaint of complaints) console.log(`FAILED on ${name}: ${complaint}`);
  // One system call lies between the last check and the rename; on a busy machine, an editor rarely saves at that moment (ADR 26).
  return complaints.length + (await racesIn(at, count, Math.max(1, Math.ceil(count / 100))));
}

/** Makes changes of every kind, and checks the files after each one. */
async function changeNotes(vault: string, state: string, count: number): Promise<string[]> {
  const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
  const complaints: string[] = [];
  const read = (path: string): string | null =>
    existsSync(join(vault, path)) && statSync(join(vault, path)).isFile()
      ? readFileSync(join(vault, path), 'utf8')
      : null;
  const call = async (tool: string, input: object): Promise<void> => {
    const outcome = await keepsake.callTool({
      tool,
      input,
      reader: 'person',
      origin: 'campaign',
      run: 'one',
    });
    if (outcome.kind !== 'result')
      complaints.push(`${tool} ${JSON.stringify(input)}: ${JSON.stringify(outcome)}`);
  };
  const undo = async (): Promise<void> => {
    const [newest] = keepsake.changes.list({ limit: 1 });
    const { kind } = await keepsake.changes.undo(newest?.id ?? '');
    if (kind !== 'written') complaints.push(`undo: ${kind}`);
  };
  const expect = (path: string, text: string | null): void => {
    const found = read(path);
    if (text === null ? found !== null : found?.includes(text) !== true)
      complaints.push(
        `${path} should ${text === null ? 'be gone' : `have «${text}»`} and is ${String(found)}`,
      );
  };
  for (let number = 0; number < count; number += 6) {
    const [path, moved] = [`bucket/note-${number}.md`, `bucket/moved-${number}.md`];
    await call('write', { path, content: `first ${number}\n` });
    expect(path, `first ${number}`);
    await call('append', { path, content: `second ${number}`, position: 'bottom' });
    expect(path, `second ${number}`);
    await call('move', { from: path, to: moved });
    expect(path, null);
    expect(moved, `second ${number}`);
    await call('delete', { path: moved });
    expect(moved, null);
    await undo();
    expect(moved, `second ${number}`);
    await undo();
    expect(moved, null);
  }
  await keepsake.close();
  return complaints;
}

function isMounted(folder: string): boolean {
  return spawnSync('mountpoint', ['-q', folder]).status === 0;
}

function unmount(folder: string): void {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    if (spawnSync('umount', [folder]).status === 0) return;
    spawnSync('sleep', ['0.1']);
  }
  throw new Error(`cannot unmount ${folder}`);
}
