import { createLinkResolver, rewriteLinks } from '../contract/index.ts';
import type { LinkRewriter } from './candidate.ts';

/**
 * Creates a function that rewrites the links of a note to the new paths of their targets. `targets` maps each path in
 * the source to its new path; both are relative to their roots.
 */
export function createLinkRewriter(targets: ReadonlyMap<string, string>): LinkRewriter {
  const before = createLinkResolver(targets.keys());
  // The root of the source is not the root of the vault.
  const after = createLinkResolver(targets.values(), { allowsRootPaths: false });
  return (text, note) => rewriteLinks(text, note, { destinations: targets, before, after });
}
