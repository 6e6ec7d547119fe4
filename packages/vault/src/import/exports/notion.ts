const withId = /^(.+) [0-9a-f]{32}(_all)?$/;

/** `Page` of `Page 0123…cdef`, the name without its ending: Notion adds an id to the name of each page. Null without one. */
export function nameInNotion(stem: string): string | null {
  const match = withId.exec(stem);
  if (match === null) return null;
  const [, name = '', all = ''] = match;
  return `${name}${all}`;
}
