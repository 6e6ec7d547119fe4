import fs from 'node:fs';
import { createRequire } from 'node:module';
import Database from 'better-sqlite3';
import type Koffi from 'koffi';
import { beforeEach } from 'vitest';

/** The functions of macOS on Linux, so that the code for macOS runs in tests. Its state can be changed at any time. */
export type FakeDarwin = {
  /** Identifies the boot, whatever the network calls the machine. */
  bootSession: string;
  /** Start times of processes in seconds and microseconds, by pid. */
  startTimes: Map<number, [seconds: bigint, microseconds: bigint]>;
  /** Resident bytes and CPU time in ticks of 125/3 nanoseconds, by pid. */
  usage: Map<number, { memoryBytes: bigint; userTicks: bigint; systemTicks: bigint }>;
};

/** Makes the process of a test file believe that it runs on macOS, on a disk that ignores case. Call it once, at the top. */
export function fakeDarwin(): FakeDarwin {
  const initial = (): FakeDarwin => ({ bootSession: 'BOOT-1', startTimes: new Map(), usage: new Map() });
  const fake = initial();
  const functions: Record<string, (...args: never[]) => unknown> = {
    renamex_np: (a: string, b: string, flags: number) => rename(koffi, a, b, flags),
    sysctlbyname(name: string, buffer: Buffer) {
      if (name !== 'kern.bootsessionuuid') return -1;
      buffer.write(`${fake.bootSession}\0`, 'latin1');
      return 0;
    },
    mach_timebase_info(buffer: Buffer) {
      buffer.writeUInt32LE(125, 0);
      buffer.writeUInt32LE(3, 4);
      return 0;
    },
    proc_pidinfo(pid: number, kind: number, _argument: number, buffer: Buffer) {
      if (kind === 4) {
        const used = fake.usage.get(pid);
        if (used === undefined) return 0;
        for (const [offset, value] of [used.memoryBytes, used.userTicks, used.systemTicks].entries())
          buffer.writeBigUInt64LE(value, 8 + 8 * offset);
        return buffer.length;
      }
      const start = fake.startTimes.get(pid);
      if (start === undefined) return 0;
      buffer.writeBigUInt64LE(start[0], 120);
      buffer.writeBigUInt64LE(start[1], 128);
      return buffer.length;
    },
  };
  const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
  Object.assign(koffi, {
    load: () => ({ func: (signature: string) => functions[/(\w+)\(/.exec(signature)?.[1] ?? ''] }),
  });
  Object.assign(fs.realpathSync, { native: realpathIgnoringCase });
  // It chooses its library by the platform when it is first used.
  new Database(':memory:').close();
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  beforeEach(() => Object.assign(fake, initial()));
  return fake;
}

function rename(koffi: typeof Koffi, a: string, b: string, flags: number): number {
  const isSwap = flags === 2;
  if (!isSwap && fs.existsSync(b)) {
    koffi.errno(koffi.os.errno['EEXIST'] as number);
    return -1;
  }
  if (isSwap) fs.renameSync(b, `${a}.swap`);
  fs.renameSync(a, b);
  if (isSwap) fs.renameSync(`${a}.swap`, a);
  return 0;
}

/** Returns names as they are on disk, decomposed or not, like that of macOS. */
function realpathIgnoringCase(path: string): string {
  const fold = (name: string): string => name.normalize('NFC').toLowerCase();
  let real = '';
  for (const name of path.split('/').slice(1)) {
    const names = fs.readdirSync(real === '' ? '/' : real);
    const found = names.find((other) => other === name) ?? names.find((other) => fold(other) === fold(name));
    if (found === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
    real = fs.realpathSync(`${real}/${found}`);
  }
  return real;
}
