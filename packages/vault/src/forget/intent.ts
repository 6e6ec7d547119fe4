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
import { fsyncFolder } from '../vault/index.ts';
import { formatRules, parseRules } from './rules.ts';
import type { RedactionRules } from './rules.ts';

/**
 * What is being forgotten, while it is being forgotten. A process that finds it after a crash repeats the work, which is
 * possible because every step has no effect the second time. It contains the words, so it is written only after the
 * decision and overwritten as soon as no other place has them.
 */
export type Intent = { read(): RedactionRules | null; write(rules: RedactionRules): void; erase(): void };

export function createIntent(stateFolder: () => string): Intent {
  const file = (): string => join(stateFolder(), 'forgetting.json');
  return {
    read() {
      if (!existsSync(file())) return null;
      // A file that was never completed: nothing has been changed yet.
      return parseRules(parse(readFileSync(file(), 'utf8')));
    },
    write(rules) {
      overwrite(file(), Buffer.from(JSON.stringify(formatRules(rules))));
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
