import { createRequire } from 'node:module';
import { linkSync, renameSync, rmSync } from 'node:fs';
import type Koffi from 'koffi';

type System = { swap: (a: string, b: string) => number; lastError: () => string };

/**
 * Swaps two files in one step, so that neither is ever missing or lost. Node.js has no call for it, so the system's is
 * made directly. Where there is none, b is replaced by a after all, and a becomes what b was right before.
 */
export function exchange(a: string, b: string): void {
  const code = swap(a, b);
  if (code === null) return;
  if (!unsupported.has(code)) throw Object.assign(new Error(`${code}: cannot exchange ${b}`), { code });
  const spare = `${a}.old`;
  linkSync(b, spare);
  try {
    renameSync(a, b);
    renameSync(spare, a);
  } finally {
    rmSync(spare, { force: true });
  }
}

const unsupported = new Set(['ENOSYS', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP']);

/** The name of the error, or null when it was done. */
function swap(a: string, b: string): string | null {
  const system = theSystem();
  if (system === null) return 'ENOSYS';
  return system.swap(a, b) === 0 ? null : system.lastError();
}

const theSystem = once(loadSystem);

/** Loaded at the first exchange: whoever only reads does without. */
function loadSystem(): System | null {
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
    const library = koffi.load(null);
    const errors = new Map(Object.entries(koffi.os.errno).map(([name, number]) => [number, name]));
    const lastError = (): string => errors.get(koffi.errno()) ?? `error ${koffi.errno()}`;
    if (process.platform === 'darwin') {
      const renamex = library.func('int renamex_np(const char *, const char *, unsigned int)');
      return { swap: (a, b) => renamex(a, b, renameSwap), lastError };
    }
    const renameat2 = library.func('int renameat2(int, const char *, int, const char *, unsigned int)');
    return { swap: (a, b) => renameat2(atWorkingFolder, a, atWorkingFolder, b, renameExchange), lastError };
  } catch {
    return null;
  }
}

// From <sys/stdio.h> on macOS, and from <fcntl.h> and <linux/fs.h>.
const renameSwap = 2;
const atWorkingFolder = -100;
const renameExchange = 2;

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
