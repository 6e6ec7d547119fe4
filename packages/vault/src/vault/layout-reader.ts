import { join } from 'node:path';
import { identityFile, isScaffolded, parseIdentity, readIdentityText } from './identity.ts';
import type { VaultRoot } from './open-path.ts';
import { parseLayout } from './parse-layout.ts';
import { defaultLayout } from './layout.ts';
import type { Layout } from './layout.ts';

/**
 * Returns a reader for the layout of a vault. It checks `vault.json` on every call, so that a change needs no restart, and
 * parses it only when the text changed.
 */
export function createLayoutReader(root: VaultRoot): () => Layout {
  let cached: { text: string | null | undefined; layout: Layout } = {
    text: undefined,
    layout: defaultLayout,
  };
  return () => {
    try {
      const text = readIdentityText(join(root, identityFile));
      if (text !== cached.text) {
        const identity = text === null ? null : parseIdentity(text);
        cached = { text, layout: parseLayout(identity?.layout, !isScaffolded(identity)) };
      }
    } catch {
      // Damaged or unreadable: callers that require a valid identity report it.
    }
    return cached.layout;
  };
}
