import { extensionOf } from '../vault/index.ts';

/** In a Maildir, the part of a name after its last dot belongs to the host or the flags; it is no extension. */
export function isMaildirMessage(path: string): boolean {
  return /(?:^|\/)(?:cur|new)\/[^/]+$/.test(path) && extensionOf(path) !== '.eml';
}

/** The same after a mail program marked the message as read, answered or flagged, which renames its file. */
export function maildirMessageId(path: string): string {
  return `maildir:${path.replace(/(?:cur|new)\/([^/]+)$/, '$1').replace(/:2,[^/]*$/, '')}`;
}

/** For a message with the id of another one. */
export function distinctMessageId(id: string, digest: string): string {
  return `${id}#${digest.slice(0, 16)}`;
}

/** The id of an item that an earlier version recorded by its path, including the flags. `isItem` tells whether an id is in the source. */
export function currentItemId(
  { item, digest }: { item: string; digest: string },
  isItem: (id: string) => boolean,
): string {
  if (isItem(item) || !isMaildirMessage(item)) return item;
  const id = maildirMessageId(item);
  const distinct = distinctMessageId(id, digest);
  return [distinct, id].find(isItem) ?? item;
}
