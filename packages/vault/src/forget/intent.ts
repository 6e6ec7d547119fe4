import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { fsyncFolder } from '../vault/index.ts';
import type { RedactionRules } from './redactor.ts';

/**
 * What is being forgotten, while it is being forgotten. A process that finds it after a crash repeats the work, which is
 * possible because every step has no effect the second time. It contains the words, so it is written only after the
 * decision and overwritten as soon as no other place has them.
 */
export type Intent = { read(): RedactionRules | null; write(rules: RedactionRules): void; erase(): void };

const rulesSchema = z.object({
  phrases: z.array(z.string()),
  contents: z.array(z.string()),
  salt: z.string(),
  language: z.enum(['en', 'fr']),
});
const schema = rulesSchema.extend({ version: z.literal(1) });

/** Parses rules that were stored outside this module. */
export function parseRules(value: unknown): RedactionRules {
  return rulesSchema.parse(value);
}

export function createIntent(stateFolder: () => string): Intent {
  const file = (): string => join(stateFolder(), 'forgetting.json');
  return {
    read() {
      if (!existsSync(file())) return null;
      // A file that was never completed: nothing has been changed yet.
      const parsed = schema.safeParse(parse(readFileSync(file(), 'utf8')));
      return parsed.success ? parsed.data : null;
    },
    write(rules) {
      overwrite(file(), Buffer.from(JSON.stringify({ version: 1, ...rules })));
      syncFolder(dirname(file()));
    },
    erase() {
      if (!existsSync(file())) return;
      overwrite(file(), Buffer.alloc(statSync(file()).size));
      rmSync(file(), { force: true });
      syncFolder(dirname(file()));
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function overwrite(file: string, bytes: Buffer): void {
  const opened = openSync(file, existsSync(file) ? 'r+' : 'wx', 0o600);
  try {
    writeSync(opened, bytes, 0, bytes.length, 0);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r');
  try {
    fsyncFolder({ fd: opened, base: folder });
  } finally {
    closeSync(opened);
  }
}
