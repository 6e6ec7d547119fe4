const withId = /^(.+) [0-9a-f]{32}(_all)?$/;

/** Removes the id that Notion appends to the name of each page: `Page 0123…cdef` becomes `Page`. Null if there is no id. */
export function stripNotionId(stem: string): string | null {
  const match = withId.exec(stem);
  if (match === null) return null;
  const [, name = '', all = ''] = match;
  return `${name}${all}`;
}
