import { headingId } from '../../contract/index.ts';

/** The id of a paragraph that `^name` names. */
export function blockId(name: string): string {
  return `block-${name}`;
}

/** What in a note an address may mean, most likely first. */
export function idsFor(hash: string): string[] {
  const [, block] = /^#?\^([\w-]+)$/.exec(hash) ?? [];
  if (block !== undefined) return [blockId(block)];
  return [headingId(hash), hash, `user-content-${hash}`];
}
