/*
 * Temporary files of other programs: partial downloads, swap and lock files, and metadata files of operating systems. They are
 * not notes. Hidden files are never part of a vault, so they need no pattern.
 */

const transientPatterns: readonly RegExp[] = [
  /** Temporary files of Syncthing on Windows, where a leading dot does not hide a file; lock files of Office. */
  /^(?:~syncthing~|~\$)/,
  /** Temporary files that Word and OneDrive rename later. */
  /^~(?:wr[a-z]|rf)[\da-f]+\./,
  /** Downloads and transfers in progress. */
  /.\.(?:crdownload|download|filepart|icloud|opdownload|part|partial|temp|tmp|!sync)$/,
  /** Swap files, backups and lock files of editors. */
  /.\.sw[opx]$|.~$|^#.+#$/,
  /^(?:desktop\.ini|(?:eh)?thumbs\.db|icon\r)$/,
];

/** Whether a file with this name is a temporary file of another program. Folders may have any name. */
export function isTransientFile(name: string): boolean {
  const lowerCaseName = name.toLowerCase();
  return transientPatterns.some((pattern) => pattern.test(lowerCaseName));
}

/** The name of the placeholder that iCloud leaves for an offloaded file. The file still exists, but is not downloaded. */
export function icloudPlaceholderName(name: string): string {
  return `.${name}.icloud`;
}
