import { formatLocalTime, parseLocalTime } from '../contract/index.ts';
import type { LocalTime } from '../contract/index.ts';
import { getFrontmatterValue, setTimes, parseCreationTime, extractYaml } from '../vault/index.ts';

/** Creation and modification time in epoch milliseconds, as far as the source has them. */
export type SourceTimes = { created: number; updated: number };

const updatedKeys = ['modified', 'updated_at', 'updated-at', 'date-modified', 'date modified', 'lastmod'];

/**
 * Stamps a note with the times of its source; times in its frontmatter take precedence. Frontmatter that cannot be
 * changed safely stays as it is.
 */
export function stampFromSource(text: string, times: SourceTimes): string {
  const yaml = extractYaml(text);
  const timeAt = (key: string): LocalTime | null => parseLocalTime(getFrontmatterValue(yaml, key) ?? '');
  const hasCreated = getFrontmatterValue(yaml, 'created') !== null;
  const hasUpdated = timeAt('updated') !== null;
  const stamped = setTimes(text, {
    ...(!hasCreated && { created: parseCreationTime(text) ?? formatLocalTime(times.created) }),
    ...(!hasUpdated && {
      updated: updatedKeys.map(timeAt).find((time) => time !== null) ?? formatLocalTime(times.updated),
    }),
  });
  return stamped.ok ? stamped.text : text;
}
