import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { VaultRoot } from './open-path.ts';

/** Where Obsidian creates daily notes in this vault, in its own notation. */
export type DailyNotesSetting = {
  /** Without slashes at the ends; empty for the top of the vault. */
  folder: string;
  /** A date format, which may contain folders: `YYYY/MM/YYYY-MM-DD`. */
  format: string;
  /** The path of the template, without `.md`; null if there is none. */
  template: string | null;
};

const file = join('.obsidian', 'daily-notes.json');
const maxBytes = 10_000;
const maxCharacters = 500;

/** Null if the vault has no such setting, or one that cannot be read. */
export function readDailyNotesSetting(root: VaultRoot): DailyNotesSetting | null {
  try {
    const path = join(realpathSync(root), file);
    // A symbolic link could lead out of the vault.
    if (realpathSync(path) !== path || statSync(path).size > maxBytes) return null;
    const found = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown> | null;
    const text = (name: string): string | null => {
      const value = found?.[name] ?? '';
      return typeof value === 'string' && value.length <= maxCharacters ? value.trim() : null;
    };
    const [folder, format, template] = [text('folder'), text('format'), text('template')];
    if (folder === null || format === null || template === null) return null;
    const trimSlashes = (value: string): string => value.replaceAll(/^\/+|\/+$/g, '');
    return {
      folder: trimSlashes(folder),
      format: format === '' ? 'YYYY-MM-DD' : trimSlashes(format),
      template: template === '' ? null : trimSlashes(template).replace(/\.md$/i, ''),
    };
  } catch {
    // Missing, unreadable or damaged: the form of the existing notes decides.
    return null;
  }
}
