import { createRequire } from 'node:module';
import type Koffi from 'koffi';

/** What the system does that Node.js has no call for; each gives the name of the error, or null when it was done. */
type System = {
  swap: (a: string, b: string) => string | null;
  moveToFree: (from: string, to: string) => string | null;
  /** Asks for what is given only while nobody has the file open for writing, and gives it back. */
  lease: (fd: number) => string | null;
  /** Whether a file that nobody has open gets that, by the number of its device; as far as it was tried. */
  givesLeases: Map<number, boolean>;
};

/** Loaded at the first change: whoever only reads does without. */
export const theSystem = once(loadSystem);

const withoutSystem: Omit<System, 'givesLeases'> = {
  swap: () => 'ENOSYS',
  moveToFree: () => 'ENOSYS',
  lease: () => 'ENOSYS',
};

function loadSystem(): System {
  const givesLeases = new Map<number, boolean>();
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
    const library = koffi.load(null);
    const errors = new Map(Object.entries(koffi.os.errno).map(([name, number]) => [number, name]));
    const outcome = (returned: number): string | null =>
      returned === 0 ? null : (errors.get(koffi.errno()) ?? `error ${koffi.errno()}`);
    if (process.platform === 'darwin') {
      const renamex = library.func('int renamex_np(const char *, const char *, unsigned int)');
      return {
        swap: (a, b) => outcome(renamex(a, b, darwin.swap)),
        moveToFree: (from, to) => outcome(renamex(from, to, darwin.exclusive)),
        lease: withoutSystem.lease,
        givesLeases,
      };
    }
    const renameat2 = library.func('int renameat2(int, const char *, int, const char *, unsigned int)');
    const fcntl = library.func('int fcntl(int, int, int)');
    const rename = (a: string, b: string, flag: number): string | null =>
      outcome(renameat2(linux.here, a, linux.here, b, flag));
    return {
      swap: (a, b) => rename(a, b, linux.exchange),
      moveToFree: (from, to) => rename(from, to, linux.noReplace),
      lease(fd) {
        // Whoever opens the file in this very moment has us told by a signal; the usual one would end the process.
        fcntl(fd, linux.setSignal, linux.harmlessSignal);
        const code = outcome(fcntl(fd, linux.setLease, linux.readLock));
        if (code === null) fcntl(fd, linux.setLease, linux.unlock);
        return code;
      },
      givesLeases,
    };
  } catch {
    return { ...withoutSystem, givesLeases };
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
