import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, VaultError } from './vault-error.ts';
import type { VaultRoot } from './open-path.ts';
import type { Language } from './root-files.ts';

const frontmatterRules = ['always', 'own', 'own-writes', 'never'] as const;

type FrontmatterRule = (typeof frontmatterRules)[number];

/** The content of `.keepsake/vault.json`, the only file that Keepsake adds to a vault. */
export type VaultIdentity = {
  id: string;
  version: 1;
  upkeep?: { frontmatter: FrontmatterRule };
  /** The language of what Keepsake says about the vault; `readLanguage` ignores a value that this version does not know. */
  language?: unknown;
  /** Parsed by `createLayoutReader`, because an invalid name must not prevent opening the vault. */
  layout?: unknown;
  [more: string]: unknown;
};

export const identityFolder = '.keepsake';
export const identityFile = join(identityFolder, 'vault.json');

/**
 * Which notes get stamps. All by default in vaults that `init` created; a folder without an identity is treated as
 * adopted, because its first write adopts it.
 */
export function frontmatterRule(identity: VaultIdentity | null): FrontmatterRule {
  return identity === null ? adoptedIdentity.upkeep.frontmatter : (identity.upkeep?.frontmatter ?? 'always');
}

/** The language that was chosen for the vault; null if none was, or a later version knows it. */
export function readLanguage(identity: VaultIdentity | null): Language | null {
  const language = identity?.language;
  return language === 'en' || language === 'fr' ? language : null;
}

/** Whether `init` created the root files: such an identity has no `upkeep` field, unlike that of an adopted folder. */
export function isScaffolded(identity: VaultIdentity | null): boolean {
  return identity !== null && identity.upkeep === undefined;
}

/** The identity fields of an adopted folder, which contained notes before it became a vault. */
export const adoptedIdentity = { upkeep: { frontmatter: 'own' } } as const;

/** Null for a folder that was never initialized, which can still be read. */
export function readIdentity(root: VaultRoot): VaultIdentity | null {
  const file = join(root, identityFile);
  const text = readIdentityText(file);
  try {
    return text === null ? null : parseIdentity(text);
  } catch (cause) {
    const hint = 'restore it from a backup, or delete it and run: keepsake init';
    throw new VaultError('bad-identity', `${file} is damaged or from a newer Keepsake`, { hint, cause });
  }
}

/** Null when the file does not exist. */
export function readIdentityText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new VaultError('bad-identity', `cannot read ${file}`, {
      hint: 'check its permissions',
      cause: error,
    });
  }
}

/** Throws when the text is not a valid identity. Uses no schema library, because every command parses it at startup. */
export function parseIdentity(text: string): VaultIdentity {
  const found = JSON.parse(text) as Partial<VaultIdentity> | null;
  const isValid =
    typeof found?.id === 'string' &&
    /^[\w-]{8,64}$/.test(found.id) &&
    found.version === 1 &&
    (found.upkeep === undefined || frontmatterRules.includes(found.upkeep?.frontmatter));
  if (!isValid) throw new SyntaxError('the id is missing, or a setting has an unknown value');
  return found as VaultIdentity;
}
