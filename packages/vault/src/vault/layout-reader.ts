import { join } from 'node:path';
import { identityFile, parseIdentity, readIdentityText } from './identity.ts';
import type { VaultRoot } from './jail.ts';
import { layoutFrom } from './layout-names.ts';
import { usualLayout } from './layout.ts';
import type { Layout } from './layout.ts';

/**
 * What the files of a vault are for, by the names that it has chosen. Read with each question, so that a change of them needs no
 * restart; made anew only when the file is another.
 */
export function layoutReader(root: VaultRoot): () => Layout {
  let known: { text: string | null; layout: Layout } = { text: null, layout: usualLayout };
  return () => {
    try {
      const text = readIdentityText(join(root, identityFile));
      if (text !== known.text)
        known = { text, layout: text === null ? usualLayout : layoutFrom(parseIdentity(text).layout) };
    } catch {
      // Damaged or out of reach: who needs it to be a vault says so.
    }
    return known.layout;
  };
}
