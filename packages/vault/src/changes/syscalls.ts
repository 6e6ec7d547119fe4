import { createRequire } from 'node:module';
import type Koffi from 'koffi';
import { once, retryCallWhileBusy, windowsCalls, windowsErrors } from '../vault/index.ts';
import type { WindowsCalls } from '../vault/index.ts';

/** System calls that Node.js does not offer; each returns the name of the error, or null on success. */
type Syscalls = {
  exchangeFiles: (a: string, b: string) => string | null;
  renameNoReplace: (from: string, to: string) => string | null;
  /**
   * Takes a read lease, which the kernel grants only while no process has the file open for writing, and releases it again.
   */
  tryReadLease: (fd: number) => string | null;
  /** Whether the file systems probed so far grant leases, by device number. */
  leaseSupportByDevice: Map<number, boolean>;
};

/** Loaded on first use, so that read-only processes never load the native library. */
export const syscalls = once(loadSystem);

const unsupportedSyscalls: Omit<Syscalls, 'leaseSupportByDevice'> = {
  exchangeFiles: () => 'ENOSYS',
  renameNoReplace: () => 'ENOSYS',
  tryReadLease: () => 'ENOSYS',
};

function loadSystem(): Syscalls {
  const leaseSupportByDevice = new Map<number, boolean>();
  if (process.platform === 'win32') return { ...createWindowsSyscalls(windowsCalls()), leaseSupportByDevice };
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
    const library = koffi.load(null);
    const errors = new Map(Object.entries(koffi.os.errno).map(([name, number]) => [number, name]));
    const outcome = (returned: number): string | null =>
      returned === 0 ? null : (errors.get(koffi.errno()) ?? `error ${koffi.errno()}`);
    if (process.platform === 'darwin') {
      const renamex = library.func('int renamex_np(const char *, const char *, unsigned int)');
      return {
        exchangeFiles: (a, b) => outcome(renamex(a, b, darwin.swap)),
        renameNoReplace: (from, to) => outcome(renamex(from, to, darwin.exclusive)),
        tryReadLease: unsupportedSyscalls.tryReadLease,
        leaseSupportByDevice,
      };
    }
    const renameat2 = library.func('int renameat2(int, const char *, int, const char *, unsigned int)');
    const fcntl = library.func('int fcntl(int, int, int)');
    const rename = (a: string, b: string, flag: number): string | null =>
      outcome(renameat2(linux.here, a, linux.here, b, flag));
    return {
      exchangeFiles: (a, b) => rename(a, b, linux.exchange),
      renameNoReplace: (from, to) => rename(from, to, linux.noReplace),
      tryReadLease(fd) {
        // If another process opens the file at this moment, the kernel signals us; the default signal would end this
        // process.
        fcntl(fd, linux.setSignal, linux.harmlessSignal);
        const code = outcome(fcntl(fd, linux.setLease, linux.readLock));
        if (code === null) fcntl(fd, linux.setLease, linux.unlock);
        return code;
      },
      leaseSupportByDevice,
    };
  } catch {
    return { ...unsupportedSyscalls, leaseSupportByDevice };
  }
}

/**
 * ReplaceFileW keeps what had the name until then, so that a save that slips in is found; the rename of POSIX semantics
 * would delete it.
 */
function createWindowsSyscalls(windows: WindowsCalls): Omit<Syscalls, 'leaseSupportByDevice'> {
  const outcome = (error: number): string | null => (error === 0 ? null : (windowsCodes[error] ?? 'ENOTSUP'));
  return {
    exchangeFiles(a, b) {
      const backup = `${a}.old`;
      const error = retryCallWhileBusy(() => windows.replaceFile(b, a, backup));
      if (error === 0) return outcome(retryCallWhileBusy(() => windows.moveFile(backup, a)));
      if (error === windowsErrors.unableToMoveReplacement2)
        retryCallWhileBusy(() => windows.moveFile(backup, b));
      return outcome(error);
    },
    renameNoReplace: (from, to) => outcome(windows.moveFile(from, to)),
    tryReadLease(fd) {
      const path = windows.finalPath(fd);
      if (path === null) return 'ENOSYS';
      const error = windows.openUnlessWritten(path);
      return error === windowsErrors.sharingViolation ? 'EAGAIN' : outcome(error);
    },
  };
}

const windowsCodes: Record<number, string> = {
  [windowsErrors.fileNotFound]: 'ENOENT',
  [windowsErrors.pathNotFound]: 'ENOENT',
  [windowsErrors.accessDenied]: 'EPERM',
  [windowsErrors.sharingViolation]: 'EBUSY',
  [windowsErrors.unableToRemoveReplaced]: 'EBUSY',
  [windowsErrors.unableToMoveReplacement]: 'EBUSY',
  [windowsErrors.unableToMoveReplacement2]: 'EBUSY',
  [windowsErrors.fileExists]: 'EEXIST',
  [windowsErrors.alreadyExists]: 'EEXIST',
};

/** From <sys/stdio.h>. */
const darwin = { swap: 2, exclusive: 4 };
/** From <fcntl.h>, <linux/fs.h> and <signal.h>. */
const linux = {
  here: -100,
  noReplace: 1,
  exchange: 2,
  setSignal: 10,
  setLease: 1024,
  readLock: 0,
  unlock: 2,
  harmlessSignal: 23,
};
