/** The element id of a row, for `aria-activedescendant` of the input. */
export function rowId(index: number): string {
  return `palette-${index}`;
}
