import { localTime, parseLocalTime } from '../contract/index.ts';
import type { LocalTime } from '../contract/index.ts';
import { frontmatterValue, setTimes, statedCreation, yamlOf } from '../vault/index.ts';

/** When something was made and last changed, in milliseconds, as far as the source knows. */
export type SourceTimes = { created: number; updated: number };

const updatedKeys = ['modified', 'updated_at', 'updated-at', 'date-modified', 'date modified', 'lastmod'];

/**
 * A note with the stamps of its source: what its own frontmatter says comes first. A frontmatter that cannot be changed
 * safely stays as it is.
 */
export function stampFromSource(text: string, times: SourceTimes): string {
  const yaml = yamlOf(text);
  const timeAt = (key: string): LocalTime | null => parseLocalTime(frontmatterValue(yaml, key) ?? '');
  const hasCreated = frontmatterValue(yaml, 'created') !== null;
  const hasUpdated = timeAt('updated') !== null;
  const stamped = setTimes(text, {
    ...(!hasCreated && { created: statedCreation(text) ?? localTime(times.created) }),
    ...(!hasUpdated && {
      updated: updatedKeys.map(timeAt).find((time) => time !== null) ?? localTime(times.updated),
    }),
  });
  return stamped.ok ? stamped.text : text;
}
