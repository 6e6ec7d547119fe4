import { splitNote } from '../edit/note-parts.ts';
import { formatDay } from './daily-note.ts';

const templateFolder = /^[\d._ -]*(?:templates?|modèles?)$/i;

/** The notes in the template folders of a vault: `templates`, `Templates`, `99 Templates`, `modèles` and the like. */
export function findTemplates(files: readonly string[]): string[] {
  return files.filter(
    (path) =>
      /\.(?:md|markdown)$/i.test(path) &&
      path
        .split('/')
        .slice(0, -1)
        .some((part) => templateFolder.test(part)),
  );
}

/** The template for daily notes, recognized by its name. */
export function findDailyTemplate(templates: readonly string[]): string | null {
  const name = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  return templates.find((path) => /daily|journal|diary|quotidien|journ[ée]e/i.test(name(path))) ?? null;
}

/**
 * The text of a template for a new note, with `{{title}}`, `{{date}}`, `{{time}}` and `{{date:YYYY-MM-DD}}` filled in as by Obsidian,
 * and without the stamps of the template. Everything else stays as it is; nothing is run.
 */
export function fillTemplate(
  path: string,
  template: string,
  { title, now, language }: { title: string; now: Date; language: string },
): string {
  const { properties, body } = splitNote(path, template);
  const text = (properties === '' ? '' : `---\n${properties}---\n\n`) + body;
  return text.replaceAll(
    /\{\{\s*(title|date|time)\s*(?::([^}]*))?\}\}/gi,
    (_, name: string, form?: string) => {
      if (name.toLowerCase() === 'title') return title;
      return formatDay(form ?? (name.toLowerCase() === 'time' ? 'HH:mm' : 'YYYY-MM-DD'), now, language);
    },
  );
}
