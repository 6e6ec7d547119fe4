/*
 * Which notes get stamps, depending on `upkeep.frontmatter` in `.keepsake/vault.json`:
 *
 * | Value                  | Keepsake's own writes                          | External edits          |
 * | `always`               | every note                                     | every note              |
 * | `own`                  | notes that have stamps                         | notes that have stamps  |
 * | no such file           | new notes, and notes that have stamps          | notes that have stamps  |
 * | `own-writes`, `never`  | every note                                     | none                    |
 *
 * `created` is the first of these that is known, otherwise it is omitted: the current time for a note that Keepsake creates; the
 * existing value; a creation date that the note states itself; for a note without stamps, the oldest time of its file. A file time of
 * today does not count, because most programs save a note by creating a new file.
 */
import { fstatSync } from 'node:fs';
import { formatLocalTime } from '../contract/index.ts';
import type { LocalTime } from '../contract/index.ts';
import {
  decodeText,
  frontmatterRule,
  hasStamps,
  isToolMemory,
  fileKindOf,
  baseName,
  readIdentity,
  applyStamps,
  parseCreationTime,
} from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { withOpenFile } from './apply-file-change.ts';

export type Stamper = {
  /** Adds stamps to content that Keepsake writes. `current` is the existing content, null when there is no file. */
  apply(path: VaultPath, current: Buffer | null, after: Buffer, now: number): Buffer;
  /** Adds stamps to content that was edited externally at this time; `isNew` when the file was not known before. */
  applyToExternalEdit(edit: { path: VaultPath; bytes: Buffer; isNew: boolean }, at: number): Buffer;
};

/** Frontmatter that cannot be changed safely is left as it is. */
export function createStamps(root: VaultRoot): Stamper {
  const rule = (): ReturnType<typeof frontmatterRule> => frontmatterRule(readIdentity(root));
  const stampsOwnOnly = (isNew: boolean): boolean => {
    const identity = readIdentity(root);
    return frontmatterRule(identity) === 'own' && !(isNew && identity === null);
  };
  return {
    apply(path, current, after, now) {
      const text = markdownTextOf(path, after);
      if (text === null) return after;
      const before = current === null ? null : (markdownTextOf(path, current) ?? '');
      const isStamped = hasStamps(text) || (before !== null && hasStamps(before));
      if (!isStamped && stampsOwnOnly(before === null)) return after;
      const created = (): LocalTime | null => {
        if (before === null) return formatLocalTime(now);
        const known = parseCreationTime(before) ?? parseCreationTime(text);
        if (known !== null) return unlessFuture(known, now);
        return isStamped ? null : oldestFileTime(root, path, now);
      };
      return Buffer.from(applyStamps(text, formatLocalTime(now), created()));
    },
    applyToExternalEdit({ path, bytes, isNew }, at) {
      const text = markdownTextOf(path, bytes);
      const isAsked = {
        always: true,
        own: text !== null && hasStamps(text),
        'own-writes': false,
        never: false,
      };
      if (text === null || !isAsked[rule()]) return bytes;
      const stated = parseCreationTime(text);
      // Only the mtime of the file is used, so that two machines that see the same edit write the same bytes.
      const created = stated === null ? (isNew ? formatLocalTime(at) : null) : unlessFuture(stated, at);
      return Buffer.from(applyStamps(text, formatLocalTime(at), created));
    },
  };
}

/** Null for files that get no stamps: those that are not markdown or not text, and the memory of an AI tool. */
function markdownTextOf(path: VaultPath, bytes: Buffer): string | null {
  const isNote = fileKindOf(baseName(path)) === 'markdown' && !isToolMemory(path);
  const decoded = isNote ? decodeText(bytes) : null;
  return decoded?.kind === 'text' ? decoded.text : null;
}

/** A date in a note may be in the future, for example that of an event; then it is not the creation time. */
function unlessFuture(time: LocalTime, now: number): LocalTime | null {
  return time <= formatLocalTime(now) ? time : null;
}

function oldestFileTime(root: VaultRoot, path: VaultPath, now: number): LocalTime | null {
  const stats = withOpenFile(root, path, baseName(path), (fd) => fstatSync(fd));
  // A file system without creation times reports zero.
  const times = stats === null ? [] : [stats.birthtimeMs, stats.mtimeMs].filter((time) => time > 0);
  const oldest = times.length === 0 ? null : formatLocalTime(Math.min(...times));
  return oldest !== null && oldest.slice(0, 10) < formatLocalTime(now).slice(0, 10) ? oldest : null;
}
