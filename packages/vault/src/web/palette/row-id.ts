/** By which the box says what row of the list is active. */
export function rowId(index: number): string {
  return `palette-${index}`;
}
