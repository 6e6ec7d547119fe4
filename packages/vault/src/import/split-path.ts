/** Splits a path with slashes into its folder, empty at the top, and its name. */
export function splitPath(path: string): { parent: string; name: string } {
  const slash = path.lastIndexOf('/');
  return { parent: slash < 0 ? '' : path.slice(0, slash), name: path.slice(slash + 1) };
}
