import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { dirname, join, parse, resolve } from 'node:path';
import type { Clock } from '../contract/index.ts';
import { VaultError } from './error.ts';
import { setStamps, tokensOf } from './frontmatter.ts';
import { identityFile, readIdentity } from './identity.ts';
import type { VaultIdentity } from './identity.ts';
import { openRoot } from './jail.ts';
import type { VaultRoot } from './jail.ts';
import { localTime } from './local-time.ts';
import { rootFiles, rootFolders } from './root-files.ts';
import type { Language } from './root-files.ts';

export type Initialised = { root: VaultRoot; outcome: 'created' | 'adopted' | 'already' };

/**
 * Makes a folder a vault. A new or empty one gets the root files; one that holds anything gets nothing but
 * `.keepsake/`, and says that notes which Keepsake did not write are not to be touched by upkeep.
 */
export function initVault(
  folder: string,
  { language, home, clock }: { language: Language; home: string; clock: Clock },
): Initialised {
  const target = resolve(folder);
  if (target === parse(target).root || target === resolve(home)) {
    throw new VaultError(
      'unsafe-folder',
      `${target} is not a place for a vault; name a folder of its own, for example: keepsake init ${join(home, 'vault')}`,
    );
  }
  mkdirSync(target, { recursive: true });
  const root = openRoot(target);
  if (readIdentity(root) !== null) return { root, outcome: 'already' };
  const isFresh = readdirSync(root).every((name) => name.startsWith('.'));
  if (isFresh) layOut(root, language, clock);
  const identity: VaultIdentity = { id: randomUUID(), version: 1 };
  if (!isFresh) identity.upkeep = { frontmatter: 'own-writes' };
  writeNew(join(root, identityFile), `${JSON.stringify(identity, null, 2)}\n`);
  return { root, outcome: isFresh ? 'created' : 'adopted' };
}

function layOut(root: VaultRoot, language: Language, clock: Clock): void {
  for (const folder of rootFolders) mkdirSync(join(root, folder), { recursive: true });
  const now = localTime(clock());
  for (const [name, { comment, body }] of Object.entries(rootFiles[language])) {
    const text = `\n<!-- ${comment} -->\n${body === '' ? '' : `\n${body}`}`;
    const stamped = setStamps(text, { created: now, updated: now, tokens: tokensOf(text) });
    if (stamped.ok) writeNew(join(root, name), stamped.text);
  }
}

/** Never replaces a file. */
function writeNew(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const fd = openSync(file, 'wx');
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
