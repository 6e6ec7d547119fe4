import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type Koffi from 'koffi';

const named = [
  'linkSync',
  'renameSync',
  'unlinkSync',
  'fsyncSync',
  'writeSync',
  'openSync',
  'readSync',
] as const;

/** Called before each file system call. Returns the error code that the call should fail with, or null to let it pass. */
export type Intercept = (name: string, args: readonly unknown[]) => string | null;

/** The original functions, which are never intercepted. */
export const real = { ...fs };

/**
 * Routes all file system calls through a function: those of Node.js, and direct system calls. Call it before the first
 * change. The `intercept` property of the result can be replaced at any time.
 */
export function interceptCalls(): { intercept: Intercept } {
  const present: { intercept: Intercept } = { intercept: () => null };
  const patched = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of named) {
    const call = patched[name] as (...args: unknown[]) => unknown;
    patched[name] = (...args) => {
      const code = present.intercept(name, args);
      if (code !== null) throw Object.assign(new Error(`${code}: injected, ${name}`), { code });
      return call(...args);
    };
  }
  syncBuiltinESMExports();
  interceptSystem(present);
  return present;
}

function interceptSystem(present: { intercept: Intercept }): void {
  const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
  const load = koffi.load;
  Object.assign(koffi, {
    load(...from: Parameters<typeof load>) {
      const library = load(...from);
      return {
        func(signature: string) {
          const call = library.func(signature);
          const name = /(\w+)\(/.exec(signature)?.[1] ?? '';
          return (...args: unknown[]): unknown => {
            const code = present.intercept(name, args);
            if (code === null) return call(...args);
            koffi.errno(koffi.os.errno[code] as number);
            return -1;
          };
        },
      };
    },
  });
}
