import { createRequire } from 'node:module';
import { toNamespacedPath } from 'node:path';
import type Koffi from 'koffi';
import { once } from './once.ts';
import type { ProcessUsage } from './process-usage.ts';

/**
 * Functions of Windows that Node.js does not offer. Paths are absolute. Those that return a number return the error code of
 * Windows, or 0 on success.
 */
export type WindowsCalls = {
  /** The path of an open file or folder as spelled on disk, without links and short names; null if the disk reports none. */
  finalPath(fd: number): string | null;
  /** Opens a file in a way that is refused while another program has it open for writing, and closes it again. */
  openUnlessWritten(file: string): number;
  flushFolder(folder: string): number;
  /** Gives `replacement` the name of `file`, and the previous file the name `backup`. */
  replaceFile(file: string, replacement: string, backup: string): number;
  /** Fails if `to` exists. */
  moveFile(from: string, to: string): number;
  /** When a process started, in units of 100 nanoseconds; empty if it cannot be inspected. */
  processStartTime(pid: number): string;
  /** Null if the process cannot be inspected. */
  processUsage(pid: number): ProcessUsage | null;
};

export const windowsErrors = {
  fileNotFound: 2,
  pathNotFound: 3,
  accessDenied: 5,
  sharingViolation: 32,
  fileExists: 80,
  alreadyExists: 183,
  /** ReplaceFileW: both files keep their names. */
  unableToRemoveReplaced: 1175,
  /** ReplaceFileW: both files keep their names, if there is a backup name. */
  unableToMoveReplacement: 1176,
  /** ReplaceFileW: the previous file already has its backup name, and the replacement still has its own. */
  unableToMoveReplacement2: 1177,
};

/** Loaded on first use, and only on Windows. */
export const windowsCalls = once(loadWindowsCalls);

/** From the headers of Windows. */
const [read, write, queryProcess] = [0x8000_0000, 0x4000_0000, 0x1000];
const [shareRead, shareWrite, shareDelete] = [1, 2, 4];
const [openExisting, backupSemantics, invalidHandle] = [3, 0x0200_0000, -1];
const [ignoreMergeErrors, ignoreAclErrors, writeThrough] = [2, 4, 8];
const maxPathCharacters = 0x8000;
/** PROCESS_MEMORY_COUNTERS with pointers of 64 bits. */
const memoryCounters = { bytes: 72, workingSet: 16 };
const hundredNanosecondsPerMs = 10_000;

function loadWindowsCalls(): WindowsCalls {
  const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
  const kernel = koffi.load('kernel32.dll');
  const lastError = kernel.func('uint32 __stdcall GetLastError()') as () => number;
  const createFile = kernel.func(
    'intptr __stdcall CreateFileW(str16, uint32, uint32, void *, uint32, uint32, intptr)',
  );
  const closeHandle = kernel.func('int __stdcall CloseHandle(intptr)');
  const flush = kernel.func('int __stdcall FlushFileBuffers(intptr)');
  const replace = kernel.func('int __stdcall ReplaceFileW(str16, str16, str16, uint32, void *, void *)');
  const move = kernel.func('int __stdcall MoveFileExW(str16, str16, uint32)');
  const finalPathName = kernel.func(
    'uint32 __stdcall GetFinalPathNameByHandleW(intptr, _Out_ uint16 *, uint32, uint32)',
  );
  const openProcess = kernel.func('intptr __stdcall OpenProcess(uint32, int, uint32)');
  const processTimes = kernel.func(
    'int __stdcall GetProcessTimes(intptr, _Out_ uint8 *, _Out_ uint8 *, _Out_ uint8 *, _Out_ uint8 *)',
  );
  const memoryInfo = kernel.func('int __stdcall K32GetProcessMemoryInfo(intptr, _Out_ uint8 *, uint32)');
  // Exported by node.exe for native modules.
  const handleOf = koffi.load(null).func('intptr uv_get_osfhandle(int)');
  const outcome = (succeeded: unknown): number => (succeeded === 0 ? lastError() || -1 : 0);
  /** Returns the error of opening or of `use`. */
  const withFile = (
    path: string,
    access: number,
    sharing: number,
    flags: number,
    use: (handle: number) => number,
  ): number => {
    const handle = createFile(
      toNamespacedPath(path),
      access,
      sharing,
      null,
      openExisting,
      flags,
      0,
    ) as number;
    if (handle === invalidHandle) return lastError() || -1;
    try {
      return use(handle);
    } finally {
      closeHandle(handle);
    }
  };
  const withProcess = <Value>(pid: number, use: (handle: number) => Value): Value | null => {
    const handle = openProcess(queryProcess, 0, pid) as number;
    if (handle === 0) return null;
    try {
      return use(handle);
    } finally {
      closeHandle(handle);
    }
  };
  /** Start, end, time in the kernel and time outside; empty if they are unknown. */
  const timesOf = (handle: number): bigint[] => {
    const times = [0, 1, 2, 3].map(() => Buffer.alloc(8));
    return processTimes(handle, ...times) === 0 ? [] : times.map((time) => time.readBigUInt64LE());
  };
  return {
    finalPath(fd) {
      const buffer = Buffer.alloc(2 * maxPathCharacters);
      const length = finalPathName(handleOf(fd), buffer, maxPathCharacters, 0) as number;
      return length === 0 || length >= maxPathCharacters ? null : buffer.toString('utf16le', 0, 2 * length);
    },
    openUnlessWritten: (file) => withFile(file, read, shareRead | shareDelete, 0, () => 0),
    flushFolder: (folder) =>
      withFile(folder, write, shareRead | shareWrite | shareDelete, backupSemantics, (handle) =>
        outcome(flush(handle)),
      ),
    replaceFile: (file, replacement, backup) =>
      outcome(
        replace(
          toNamespacedPath(file),
          toNamespacedPath(replacement),
          toNamespacedPath(backup),
          ignoreMergeErrors | ignoreAclErrors,
          null,
          null,
        ),
      ),
    moveFile: (from, to) => outcome(move(toNamespacedPath(from), toNamespacedPath(to), writeThrough)),
    processStartTime: (pid) => withProcess(pid, (handle) => String(timesOf(handle)[0] ?? '')) ?? '',
    processUsage: (pid) =>
      withProcess(pid, (handle) => {
        const counters = Buffer.alloc(memoryCounters.bytes);
        const [, , inKernel = 0n, outside = 0n] = timesOf(handle);
        if (memoryInfo(handle, counters, counters.length) === 0) return null;
        return {
          memoryBytes: Number(counters.readBigUInt64LE(memoryCounters.workingSet)),
          cpuMs: Number(inKernel + outside) / hundredNanosecondsPerMs,
        };
      }),
  };
}
