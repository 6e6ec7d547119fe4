import { join } from 'node:path';
import { identityFile, parseIdentity, readIdentityText } from './identity.ts';
import type { VaultRoot } from './open-path.ts';
import { parseLayout } from './parse-layout.ts';
import { defaultLayout } from './layout.ts';
import type { Layout } from './layout.ts';

/**
 * Returns a reader for the layout of a vault. It checks `vault.json` on every call, so that a change needs no restart, and
 * parses it only when the text changed.
 */
export function createLayoutReader(root: VaultRoot): () => Layout {
  let cached: { text: string | null; layout: Layout } = { text: null, layout: defaultLayout };
  return () => {
    try {
      const text = readIdentityText(join(root, identityFile));
      if (text !== cached.text)
        cached = { text, layout: text === null ? defaultLayout : parseLayout(parseIdentity(text).layout) };
    } catch {
      // Damaged or unreadable: callers that require a valid identity report it.
    }
    return cached.layout;
  };
}
