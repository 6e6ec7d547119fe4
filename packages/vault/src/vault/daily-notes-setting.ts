import { readObsidianSetting } from './obsidian-setting.ts';
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

const maxBytes = 10_000;
const maxCharacters = 500;

/** Null if the vault has no such setting, or one that cannot be read. */
export function readDailyNotesSetting(root: VaultRoot): DailyNotesSetting | null {
  const found = readObsidianSetting(root, 'daily-notes.json', maxBytes) as Record<string, unknown> | null;
  if (found === null) return null;
  const text = (name: string): string | null => {
    const value = found[name] ?? '';
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
}
