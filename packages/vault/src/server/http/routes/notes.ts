import { createRoute } from '@hono/zod-openapi';
import { api, formatLocalTime } from '../../../contract/index.ts';
import { findFile, formatPath, hasTag, listRecentNotes, tagKey } from '../../../vault/index.ts';
import type { FolderEntry, NoteMarks, VaultDay, VaultPath } from '../../../vault/index.ts';
import { parsePath } from '../paths.ts';
import { Problem } from '../problem.ts';
import { vaultBasePath, jsonContent } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import type { HttpApp } from '../request-env.ts';

const tags = createRoute({
  method: 'get',
  path: `${vaultBasePath}/tags`,
  tags: ['reading'],
  summary: 'List all tags, and the notes of a tag',
  request: { params: api.vaultParams, query: api.tagsQuery },
  responses: { 200: jsonContent(api.tags, 'Tags, most frequent first') },
});
const recentNotes = createRoute({
  method: 'get',
  path: `${vaultBasePath}/notes`,
  tags: ['reading'],
  summary: 'List pinned and recent notes',
  request: { params: api.vaultParams, query: api.notesQuery },
  responses: { 200: jsonContent(api.notes, 'Notes') },
});
const days = createRoute({
  method: 'get',
  path: `${vaultBasePath}/days`,
  tags: ['reading'],
  summary: 'List daily notes, changelog entries and deadlines by day',
  request: { params: api.vaultParams, query: api.daysQuery },
  responses: { 200: jsonContent(api.days, 'Days') },
});
const mentions = createRoute({
  method: 'get',
  path: `${vaultBasePath}/mentions`,
  tags: ['reading'],
  summary: 'List the notes that name a note without a link',
  request: { params: api.vaultParams, query: api.mentionsQuery },
  responses: { 200: jsonContent(api.mentions, 'Notes, sorted by path') },
});

const maxTags = 2_000;
const maxPinned = 50;
const maxDays = 62;
const maxPerDay = 100;

export function noteRoutes(app: HttpApp, { keepsake }: RouteContext): void {
  const timesOf = (contents: FolderEntry, path: VaultPath): { path: string; updated: string } | null => {
    const entry = findFile(contents, path);
    if (entry === undefined) return null;
    return { path: formatPath(path), updated: entry.updated ?? formatLocalTime(entry.mtime) };
  };
  app.openapi(tags, async (c) => {
    const { tag, limit } = c.req.valid('query');
    const [marks, contents] = [await keepsake.marks(), await keepsake.contents()];
    const notes = marks
      .filter((note) => tag !== undefined && hasTag(note, tag))
      .flatMap(({ path }) => timesOf(contents, path) ?? [])
      .toSorted((a, b) => b.updated.localeCompare(a.updated));
    return c.json({ tags: countTags(marks), notes: notes.slice(0, limit), found: notes.length }, 200);
  });
  app.openapi(recentNotes, async (c) => {
    const [marks, contents] = [await keepsake.marks(), await keepsake.contents()];
    const found = marks
      .filter(({ isPinned }) => isPinned)
      .flatMap(({ path }) => timesOf(contents, path) ?? [])
      .toSorted((a, b) => a.path.localeCompare(b.path));
    const recent = listRecentNotes(contents, marks, keepsake.layout())
      .slice(0, c.req.valid('query').limit)
      .map(({ path, updated }) => ({ path: formatPath(path), updated }));
    return c.json({ pinned: found.slice(0, maxPinned), recent }, 200);
  });
  app.openapi(days, async (c) => {
    const { from, to } = c.req.valid('query');
    const length = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
    if (length < 1 || length > maxDays)
      throw new Problem('refused', { detail: `the period must have 1 to ${maxDays} days` });
    const found = await keepsake.days(from, to);
    return c.json({ today: found.today, days: found.days.map(showDay) }, 200);
  });
  app.openapi(mentions, async (c) => {
    const { path, limit } = c.req.valid('query');
    const found = await keepsake.mentions(parsePath(path), limit);
    return c.json({ notes: found.map((each) => ({ ...each, path: formatPath(each.path) })) }, 200);
  });
}

function countTags(marks: readonly NoteMarks[]): { tag: string; notes: number }[] {
  const counts = new Map<string, { tag: string; notes: number }>();
  for (const note of marks)
    for (const tag of note.tags) {
      const count = counts.get(tagKey(tag)) ?? { tag, notes: 0 };
      count.notes += 1;
      counts.set(tagKey(tag), count);
    }
  return [...counts.values()]
    .toSorted((a, b) => b.notes - a.notes || a.tag.localeCompare(b.tag))
    .slice(0, maxTags);
}

function showDay({ day, notes, entries, tasks }: VaultDay) {
  return {
    day,
    notes: notes.slice(0, maxPerDay).map(formatPath),
    entries: entries.slice(0, maxPerDay).map((entry) => ({ ...entry, path: formatPath(entry.path) })),
    tasks: tasks.slice(0, maxPerDay).map(({ path, lineNumber, title, priority, when, repeat, form }) => ({
      path: formatPath(path),
      line: lineNumber,
      title,
      priority,
      time: when?.time ?? null,
      repeat,
      isAppointment: form === 'line',
    })),
    found: notes.length + entries.length + tasks.length,
  };
}
