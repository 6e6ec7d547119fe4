import { headingId } from '../../contract/index.ts';

/** The id of a block that is named by `^name`. */
export function blockId(name: string): string {
  return `block-${name}`;
}

/** The element ids that a URL hash may refer to, most likely first. */
export function candidateIds(hash: string): string[] {
  const [, block] = /^#?\^([\w-]+)$/.exec(hash) ?? [];
  if (block !== undefined) return [blockId(block)];
  return [headingId(hash), hash, `user-content-${hash}`];
}
