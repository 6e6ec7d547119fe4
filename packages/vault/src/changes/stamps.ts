/*
 * Which notes get stamps, as `upkeep.frontmatter` in `.keepsake/vault.json` says:
 *
 * | Value                  | What Keepsake writes                           | What was edited outside |
 * | `always`               | every note                                     | every note              |
 * | `own`                  | what it makes, and notes that have stamps      | notes that have stamps  |
 * | `own-writes`, `never`  | every note                                     | none                    |
 *
 * `created` is when a note was made, or it is left out: now for one that Keepsake makes; what it was so far; what the note
 * itself says; when it gets its first stamps, also the oldest time of its file, unless that is of today: most programs save
 * a note by making a new file.
 */
import { fstatSync } from 'node:fs';
import { localTime } from '../contract/index.ts';
import type { LocalTime } from '../contract/index.ts';
import {
  decodeText,
  frontmatterRule,
  hasStamps,
  kindOf,
  nameOf,
  readIdentity,
  stampedAt,
  statedCreation,
} from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { lookInto } from './apply.ts';

export type Stamps = {
  /** What Keepsake writes, with its stamps. `present` is what the file is so far, null when there is none. */
  set(path: VaultPath, present: Buffer | null, after: Buffer, now: number): Buffer;
  /** What was edited outside at this moment, with its stamps; `isNew` when nobody has seen the file before. */
  setOutside(edit: { path: VaultPath; bytes: Buffer; isNew: boolean }, at: number): Buffer;
};

/** A frontmatter that cannot be changed safely is left as it is. */
export function createStamps(root: VaultRoot): Stamps {
  const rule = (): ReturnType<typeof frontmatterRule> => frontmatterRule(readIdentity(root));
  return {
    set(path, present, after, now) {
      const text = textOf(path, after);
      if (text === null) return after;
      const before = present === null ? null : (textOf(path, present) ?? '');
      const isStamped = before !== null && (hasStamps(before) || hasStamps(text));
      if (rule() === 'own' && before !== null && !isStamped) return after;
      const created = (): LocalTime | null => {
        if (before === null) return localTime(now);
        const known = statedCreation(before) ?? statedCreation(text);
        if (known !== null) return notAfter(known, now);
        return isStamped ? null : oldestTime(root, path, now);
      };
      return Buffer.from(stampedAt(text, localTime(now), created()));
    },
    setOutside({ path, bytes, isNew }, at) {
      const text = textOf(path, bytes);
      const isAsked = {
        always: true,
        own: text !== null && hasStamps(text),
        'own-writes': false,
        never: false,
      };
      if (text === null || !isAsked[rule()]) return bytes;
      const stated = statedCreation(text);
      // Its mtime, and no other time of the file: two machines that see the same edit write the same bytes.
      const created = stated === null ? (isNew ? localTime(at) : null) : notAfter(stated, at);
      return Buffer.from(stampedAt(text, localTime(at), created));
    },
  };
}

/** Null for what is not markdown, or no text. */
function textOf(path: VaultPath, bytes: Buffer): string | null {
  const decoded = kindOf(nameOf(path)) === 'markdown' ? decodeText(bytes) : null;
  return decoded?.kind === 'text' ? decoded.text : null;
}

/** What a note is about may lie ahead of it. */
function notAfter(time: LocalTime, now: number): LocalTime | null {
  return time <= localTime(now) ? time : null;
}

function oldestTime(root: VaultRoot, path: VaultPath, now: number): LocalTime | null {
  const stats = lookInto(root, path, nameOf(path), (fd) => fstatSync(fd));
  // Where a file system does not know when a file was made it says zero.
  const times = stats === null ? [] : [stats.birthtimeMs, stats.mtimeMs].filter((time) => time > 0);
  const oldest = times.length === 0 ? null : localTime(Math.min(...times));
  return oldest !== null && oldest.slice(0, 10) < localTime(now).slice(0, 10) ? oldest : null;
}
