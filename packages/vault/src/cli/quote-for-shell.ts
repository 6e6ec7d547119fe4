/** Quotes any text as a single word for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes a path or name for the shell of the user; on Windows for both cmd.exe and PowerShell. */
export function quoteForUser(text: string, platform = process.platform): string {
  return platform === 'win32' ? `"${text}"` : quoteForShell(text);
}

/** Quotes text for the shell of the user, if it contains anything special. */
export function quoteIfNeeded(text: string): string {
  return /^[\w./=-]+$/.test(text) ? text : quoteForUser(text);
}
