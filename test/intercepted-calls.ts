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

/** A call that is about to be made; gives the name of the error it is to fail with, or null to let it be made. */
export type Intercept = (name: string, args: readonly unknown[]) => string | null;

/** The same functions, whatever is intercepted. */
export const real = { ...fs };

/**
 * Has everybody's calls on files go through a function first: those of Node.js, and those of the system that are
 * made directly. To be called before the first change; whatever is set as `intercept` counts from then on.
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
