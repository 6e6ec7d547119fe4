import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { systemCode, VaultError } from './error.ts';
import type { VaultRoot } from './jail.ts';

const identity = z.looseObject({
  id: z.string().regex(/^[\w-]{8,64}$/),
  version: z.literal(1),
  upkeep: z.looseObject({ frontmatter: z.enum(['always', 'own', 'own-writes', 'never']) }).optional(),
});

/** The one small file that Keepsake leaves in a vault. */
export type VaultIdentity = z.infer<typeof identity>;

export const identityFolder = '.keepsake';
export const identityFile = join(identityFolder, 'vault.json');

type FrontmatterRule = NonNullable<VaultIdentity['upkeep']>['frontmatter'];

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
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw new VaultError('bad-identity', `cannot read ${file}`, {
      mend: 'give yourself access to it',
      cause: error,
    });
  }
  try {
    return parseIdentity(text);
  } catch (cause) {
    const mend = 'restore it from a backup, or delete it and run: keepsake init';
    throw new VaultError('bad-identity', `${file} is damaged or from a newer Keepsake`, { mend, cause });
  }
}

/** Throws when it is none. */
export function parseIdentity(text: string): VaultIdentity {
  return identity.parse(JSON.parse(text));
}
