import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode, VaultError } from './error.ts';
import type { VaultRoot } from './jail.ts';

const rules = ['always', 'own', 'own-writes', 'never'] as const;

type FrontmatterRule = (typeof rules)[number];

/** The one small file that Keepsake leaves in a vault. */
export type VaultIdentity = {
  id: string;
  version: 1;
  upkeep?: { frontmatter: FrontmatterRule };
  /** Read by `layoutReader`: a name that cannot be is no reason not to open the vault. */
  layout?: unknown;
  [more: string]: unknown;
};

export const identityFolder = '.keepsake';
export const identityFile = join(identityFolder, 'vault.json');

/** Which notes get stamps. A vault that `init` laid out says nothing about it; a folder becomes an adopted one when it is written to. */
export function frontmatterRule(of: VaultIdentity | null): FrontmatterRule {
  return of === null ? adopted.upkeep.frontmatter : (of.upkeep?.frontmatter ?? 'always');
}

/** Whether `init` laid the vault out: it says nothing about upkeep there, and something in a folder that was adopted. */
export function isLaidOut(of: VaultIdentity | null): boolean {
  return of !== null && of.upkeep === undefined;
}

/** What the identity of a folder says that held notes before it was a vault. */
export const adopted = { upkeep: { frontmatter: 'own' } } as const;

/** Null for a folder that was never initialised; it can be read all the same. */
export function readIdentity(root: VaultRoot): VaultIdentity | null {
  const file = join(root, identityFile);
  const text = readIdentityText(file);
  try {
    return text === null ? null : parseIdentity(text);
  } catch (cause) {
    const mend = 'restore it from a backup, or delete it and run: keepsake init';
    throw new VaultError('bad-identity', `${file} is damaged or from a newer Keepsake`, { mend, cause });
  }
}

/** Null when there is none. */
export function readIdentityText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw new VaultError('bad-identity', `cannot read ${file}`, {
      mend: 'give yourself access to it',
      cause: error,
    });
  }
}

/** Throws when it is none. Without a library: every command reads it. */
export function parseIdentity(text: string): VaultIdentity {
  const found = JSON.parse(text) as Partial<VaultIdentity> | null;
  const isOne =
    typeof found?.id === 'string' &&
    /^[\w-]{8,64}$/.test(found.id) &&
    found.version === 1 &&
    (found.upkeep === undefined || rules.includes(found.upkeep?.frontmatter));
  if (!isOne) throw new SyntaxError('it has no id, or says what is not known');
  return found as VaultIdentity;
}
