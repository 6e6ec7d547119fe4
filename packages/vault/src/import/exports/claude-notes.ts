import { z } from 'zod';
import { timeOf } from './claude.ts';
import { normalizeTitle, quoteText } from './conversation.ts';
import { exportNoteText, pathSegment } from './export-note.ts';
import type { ExportNote } from './export-note.ts';

const document = z.looseObject({
  uuid: z.string(),
  filename: z.string().nullish(),
  content: z.string(),
  created_at: z.string().nullish(),
});

const project = z.looseObject({
  uuid: z.string(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  prompt_template: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  docs: z.array(z.unknown()).nullish(),
});

/** The documents of a project, and a note with its description and instructions; null if the value is not a project. */
export function parseClaudeProject(value: unknown): ExportNote[] | null {
  const parsed = project.safeParse(value);
  if (!parsed.success) return null;
  const { uuid, name, description, prompt_template: instructions, docs } = parsed.data;
  const [created, updated] = [timeOf(parsed.data.created_at), timeOf(parsed.data.updated_at)];
  const title = normalizeTitle(name);
  const folder = `projects/${pathSegment(title, 'project')}`;
  const sections = [
    (description ?? '').trim(),
    (instructions ?? '').trim() === '' ? '' : `## Instructions\n\n${instructions?.trim()}`,
  ].filter((text) => text !== '');
  const about = exportNoteText('claude', title, [`# ${title}`, ...sections].join('\n\n'));
  const notes = (docs ?? []).flatMap((each): ExportNote[] => {
    const doc = document.safeParse(each).data;
    if (doc === undefined || doc.content.trim() === '') return [];
    const fileName = pathSegment(doc.filename ?? '', 'document');
    const time = timeOf(doc.created_at) ?? created;
    return [
      {
        id: `${uuid}/${doc.uuid}`,
        path: `${folder}/${fileName.replace(/\.md$/i, '')}.md`,
        created: time,
        updated: time,
        text: exportNoteText('claude', fileName, formatDocument(fileName, doc.content)),
      },
    ];
  });
  return [
    ...(sections.length === 0
      ? []
      : [{ id: uuid, path: `${folder}/project.md`, created, updated, text: about }]),
    ...notes,
  ];
}

/** Code is quoted, because a comment in it would be a heading. */
function formatDocument(name: string, content: string): string {
  const isProse = !name.includes('.') || /\.(?:md|markdown|txt|pdf|docx?|odt|rtf|html?|epub)$/i.test(name);
  return isProse ? content : quoteText('File', name, content, name.slice(name.lastIndexOf('.') + 1));
}

/** What Claude remembers, as far as the value contains text; null if it has none. */
export function parseClaudeMemory(value: unknown): ExportNote | null {
  const sections = listTexts(value, []).map(({ path, text }) => `## ${path.join(' – ')}\n\n${text}`);
  if (sections.length === 0) return null;
  const title = 'Memory of Claude';
  const text = exportNoteText('claude', title, [`# ${title}`, ...sections].join('\n\n'));
  return { id: 'memory', path: 'memory.md', created: null, updated: null, text };
}

/** Every text in a JSON value with the names that lead to it, without identifiers. */
function listTexts(value: unknown, path: readonly string[]): { path: readonly string[]; text: string }[] {
  if (typeof value === 'string') return /\s/.test(value.trim()) ? [{ path, text: value.trim() }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    listTexts(each, Array.isArray(value) ? path : [...path, key.replaceAll('_', ' ')]),
  );
}
