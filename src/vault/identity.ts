import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { systemCode, VaultError } from './error.ts';
import type { VaultRoot } from './jail.ts';
import { layoutFrom } from './layout-names.ts';
import { usualLayout } from './layout.ts';
import type { Layout } from './layout.ts';

const identity = z.looseObject({
  id: z.string().regex(/^[\w-]{8,64}$/),
  version: z.literal(1),
  upkeep: z.looseObject({ frontmatter: z.enum(['always', 'own', 'own-writes', 'never']) }).optional(),
  /** Read by `layoutReader`: a name that cannot be is no reason not to open the vault. */
  layout: z.unknown().optional(),
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
  const text = readText(file);
  try {
    return text === null ? null : parseIdentity(text);
  } catch (cause) {
    const mend = 'restore it from a backup, or delete it and run: keepsake init';
    throw new VaultError('bad-identity', `${file} is damaged or from a newer Keepsake`, { mend, cause });
  }
}

/**
 * What the files of a vault are for, by the names that it has chosen. Read with each question, so that a change of them needs no
 * restart; made anew only when the file is another.
 */
export function layoutReader(root: VaultRoot): () => Layout {
  let known: { text: string | null; layout: Layout } = { text: null, layout: usualLayout };
  return () => {
    try {
      const text = readText(join(root, identityFile));
      if (text !== known.text)
        known = { text, layout: text === null ? usualLayout : layoutFrom(parseIdentity(text).layout) };
    } catch {
      // Damaged or out of reach: who needs it to be a vault says so.
    }
    return known.layout;
  };
}

/** Null when there is none. */
function readText(file: string): string | null {
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

/** Throws when it is none. */
export function parseIdentity(text: string): VaultIdentity {
  return identity.parse(JSON.parse(text));
}
