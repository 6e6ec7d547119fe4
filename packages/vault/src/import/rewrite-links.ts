import { createLinkTargets, rewriteLinks } from '../contract/index.ts';
import type { Rewrite } from './candidate.ts';

/**
 * Gives a function that makes the links of a note lead to where their files went. `targets` tells where each file of the
 * source went; both are paths below their roots.
 */
export function createLinkRewriter(targets: ReadonlyMap<string, string>): Rewrite {
  const before = createLinkTargets(targets.keys());
  // The root of the source is some folder of the vault.
  const after = createLinkTargets(targets.values(), { isRoot: false });
  return (text, note) => rewriteLinks(text, note, { to: targets, before, after });
}
