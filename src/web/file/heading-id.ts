/** The id of a heading by its words, or by a link to it: `#the-plan`, `#The plan`, `#Part#The plan`. */
export function headingId(words: string): string {
  const last = words.split('#').at(-1) ?? '';
  const plain = last.trim().toLowerCase();
  // In front of it stands what no id of the page has.
  return `heading-${plain.replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-')}`;
}

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
