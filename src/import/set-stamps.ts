import { localTime, parseLocalTime } from '../contract/index.ts';
import type { LocalTime } from '../contract/index.ts';
import { findFrontmatter, frontmatterValue, setTimes } from '../vault/index.ts';

/** When something was made and last changed, in milliseconds, as far as the source knows. */
export type SourceTimes = { created: number; updated: number };

const createdKeys = ['date', 'created_at', 'created-at', 'date-created', 'date created', 'creation-date'];
const updatedKeys = ['modified', 'updated_at', 'updated-at', 'date-modified', 'date modified', 'lastmod'];

/**
 * A note with the stamps of its source: what its own frontmatter says comes first. A frontmatter that cannot be changed
 * safely stays as it is.
 */
export function stampFromSource(text: string, times: SourceTimes): string {
  const found = findFrontmatter(text);
  const yaml = found === null ? '' : text.slice(found.yamlStart, found.yamlEnd);
  const timeAt = (key: string): LocalTime | null => parseLocalTime(frontmatterValue(yaml, key) ?? '');
  const firstOf = (keys: string[]): LocalTime | undefined =>
    keys.map(timeAt).find((time) => time !== null) ?? undefined;
  const hasCreated = frontmatterValue(yaml, 'created') !== null;
  const hasUpdated = timeAt('updated') !== null;
  const stamped = setTimes(text, {
    ...(!hasCreated && { created: firstOf(createdKeys) ?? localTime(times.created) }),
    ...(!hasUpdated && { updated: firstOf(updatedKeys) ?? localTime(times.updated) }),
  });
  return stamped.ok ? stamped.text : text;
}
