import { createRequire } from 'node:module';
import type Koffi from 'koffi';

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

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
