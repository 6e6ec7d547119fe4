/*
 * Files of other programs that lie in a vault for a while: what a sync service or an editor is still writing, locks, and what
 * systems leave in every folder. None of them is a note. Hidden names are no part of a vault anyway, so they need no rule.
 */

const foreign: readonly RegExp[] = [
  /** Syncthing where names cannot be hidden; Office's locks. */
  /^(?:~syncthing~|~\$)/,
  /** What Word and OneDrive write before they rename it. */
  /^~(?:wr[a-z]|rf)[\da-f]+\./,
  /** Downloads and transfers under way. */
  /.\.(?:crdownload|download|filepart|icloud|opdownload|part|partial|temp|tmp|!sync)$/,
  /** Swap files, backups and locks of editors. */
  /.\.sw[opx]$|.~$|^#.+#$/,
  /^(?:desktop\.ini|(?:eh)?thumbs\.db|icon\r)$/,
];

/** Whether a file of this name is another program's business. A folder may be called anything. */
export function isForeignFile(name: string): boolean {
  const known = name.toLowerCase();
  return foreign.some((pattern) => pattern.test(known));
}

/** What iCloud puts in the place of a file that it took off the disk: that file is not gone, it is not here yet. */
export function placeholderOf(name: string): string {
  return `.${name}.icloud`;
}
