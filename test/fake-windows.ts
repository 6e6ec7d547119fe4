import fs from 'node:fs';
import { createRequire } from 'node:module';
import Database from 'better-sqlite3';
import type Koffi from 'koffi';
import { beforeEach } from 'vitest';

type Handle = { path: string };

/** The functions of Windows on Linux, so that the code for Windows runs in tests. Its state can be changed at any time. */
export type FakeWindows = {
  /** The functions that were called, in order. */
  calls: string[];
  /** Errors that the next calls of a function fail with, by its name. */
  errors: Record<string, number[]>;
  /** What a path is really called on disk. */
  finalPaths: Map<string, string | null>;
  /** Start, end, kernel and user times in units of 100 nanoseconds, and resident bytes, by pid. */
  processes: Map<number, { times: bigint[]; memoryBytes: bigint }>;
};

/** Makes the process of a test file believe that it runs on Windows. Call it once, at the top of the file. */
export function fakeWindows(): FakeWindows {
  const initial = (): FakeWindows => ({
    calls: [],
    errors: {},
    finalPaths: new Map(),
    processes: new Map(),
  });
  const fake = initial();
  const handles = new Map<number, Handle>();
  let error = 0;
  const fail = (code: number): number => {
    error = code;
    return 0;
  };
  const attempt = (name: string, work: () => unknown): number => {
    fake.calls.push(name);
    const injected = fake.errors[name]?.shift() ?? 0;
    if (injected !== 0) return fail(injected);
    try {
      work();
      return 1;
    } catch (thrown) {
      const codes: Record<string, number> = { ENOENT: 2, EEXIST: 183 };
      return fail(codes[(thrown as NodeJS.ErrnoException).code ?? ''] ?? 5);
    }
  };
  const functions: Record<string, (...args: never[]) => unknown> = {
    GetLastError: () => error,
    CreateFileW(path: string) {
      const handle = handles.size + 1;
      const isOpen = attempt('CreateFileW', () => fs.accessSync(path.replaceAll('\\', '/'))) === 1;
      if (isOpen) handles.set(handle, { path });
      return isOpen ? handle : -1;
    },
    CloseHandle: () => 1,
    FlushFileBuffers: () => attempt('FlushFileBuffers', () => undefined),
    ReplaceFileW(file: string, replacement: string, backup: string) {
      return attempt('ReplaceFileW', () => {
        fs.accessSync(replacement);
        fs.renameSync(file, backup);
        fs.renameSync(replacement, file);
      });
    },
    MoveFileExW(from: string, to: string) {
      return attempt('MoveFileExW', () => {
        fs.linkSync(from, to);
        fs.unlinkSync(from);
      });
    },
    GetFinalPathNameByHandleW(fd: number, buffer: Buffer) {
      const path = fs.readlinkSync(`/proc/self/fd/${fd}`);
      const known = fake.finalPaths.get(path);
      return known === null ? 0 : buffer.write((known ?? path).replaceAll('/', '\\'), 'utf16le') / 2;
    },
    uv_get_osfhandle: (fd: number) => fd,
    OpenProcess: (_access: number, _inherit: number, pid: number) => (fake.processes.has(pid) ? pid : 0),
    GetProcessTimes(pid: number, ...times: Buffer[]) {
      for (const [index, time] of (fake.processes.get(pid)?.times ?? []).entries())
        times[index]?.writeBigUInt64LE(time);
      return 1;
    },
    K32GetProcessMemoryInfo(pid: number, counters: Buffer) {
      counters.writeBigUInt64LE(fake.processes.get(pid)?.memoryBytes ?? 0n, 16);
      return 1;
    },
  };
  const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
  Object.assign(koffi, {
    load: () => ({ func: (signature: string) => functions[/(\w+)\(/.exec(signature)?.[1] ?? ''] }),
  });
  // It chooses its library by the platform when it is first used.
  new Database(':memory:').close();
  Object.defineProperty(process, 'platform', { value: 'win32' });
  beforeEach(() => Object.assign(fake, initial()));
  return fake;
}
