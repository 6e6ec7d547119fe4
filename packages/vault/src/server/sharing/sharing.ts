import type { Keepsake } from '../../app/index.ts';
import { baseName, childPath, findFile, rootPath, toRelativePath } from '../../vault/index.ts';
import type { FileRead, Revision, VaultPath } from '../../vault/index.ts';
import type { Members } from '../auth/members.ts';
import { escapeText } from '../note-html/html-page.ts';
import { listEmbeddable } from '../note-html/list-embeddable.ts';
import type { NoteHtml } from '../note-html/note-html.ts';
import type { RenderNote } from '../note-html/render-in-worker.ts';
import { openShareLinks } from './share-links.ts';
import type { ShareLink } from './share-links.ts';
import { shareTexts } from './share-text.ts';
import type { PageLanguage } from './share-text.ts';

type SharedFile = Extract<FileRead, { kind: 'file' }> & { name: string };

/**
 * Links under which anyone who has one can read a note. A link shows what models may see, so that a hidden note cannot be
 * shared, and ends with its note: also when this is moved, deleted or forgotten and another one takes its path.
 */
export type Sharing = {
  /** `too-large` and `missing` say why the note cannot be shared; a note that is hidden from AI is missing. */
  create(path: VaultPath, days: number, maker: string | null): Promise<CreatedLink | 'missing' | 'too-large'>;
  /** The links that work, newest first. */
  list(): ShareLink[];
  remove(id: string): boolean;
  /** The note of a link; null if the link does not exist or has ended. */
  open(secret: string, language: PageLanguage): Promise<{ link: ShareLink; note: NoteHtml } | null>;
  /** A file that the note of a link shows, by its key in the HTML. */
  openFile(secret: string, key: string): Promise<SharedFile | null>;
};

type CreatedLink = ShareLink & { secret: string };

type Dependencies = {
  keepsake: Keepsake;
  people: () => Pick<Members, 'find'>;
  render: RenderNote;
  now?: () => number;
};

const dayMs = 24 * 60 * 60_000;
const maxNoteBytes = 2_000_000;
const maxCachedNotes = 10;
/** Files that a note shows may come and go without a change of the note. */
const cacheTtlMs = 60_000;

type CachedNote = { revision: Revision; renderedAt: number; note: Promise<NoteHtml> };

export function createSharing({ keepsake, people, render, now = Date.now }: Dependencies): Sharing {
  const links = openShareLinks(keepsake);
  const { restricted, changes } = keepsake;
  const rendered = new Map<string, CachedNote>();

  const isActive = ({ path, createdAt, until, maker }: ShareLink): boolean => {
    const role = maker === null ? 'owner' : people().find(maker)?.role;
    return (
      until > now() && role !== undefined && role !== 'reader' && !changes.wasRemovedSince(path, createdAt)
    );
  };
  /** A link that has ended is deleted, so that it stays ended when the reason is gone. */
  const endUnlessActive = (link: ShareLink): boolean => {
    if (isActive(link)) return true;
    links().remove(link.id);
    rendered.delete(link.id);
    return false;
  };
  const readNote = async (path: VaultPath): Promise<Extract<FileRead, { kind: 'file' }> | null> => {
    const read = await restricted.readFile(path);
    return read.kind === 'file' && read.mediaType.startsWith('text/markdown') ? read : null;
  };
  const renderText = async (link: ShareLink, text: string, language: PageLanguage): Promise<NoteHtml> => {
    const path = toRelativePath(link.path);
    const { labels } = shareTexts[language];
    const note = await render({ text, path, files: await listEmbeddable(restricted), salt: link.id, labels });
    return (
      note ?? { title: baseName(link.path), html: `<pre class="plain">${escapeText(text)}</pre>`, files: [] }
    );
  };
  const renderCached = (
    link: ShareLink,
    { bytes, revision }: { bytes: Buffer; revision: Revision },
    language: PageLanguage,
  ): Promise<NoteHtml> => {
    const key = `${link.id} ${language}`;
    const cached = rendered.get(key);
    if (cached?.revision === revision && now() - cached.renderedAt < cacheTtlMs) return cached.note;
    const note = renderText(link, bytes.toString(), language);
    rendered.delete(key);
    rendered.set(key, { revision, renderedAt: now(), note });
    note.catch(() => rendered.delete(key));
    for (const oldest of rendered.keys()) {
      if (rendered.size <= maxCachedNotes) break;
      rendered.delete(oldest);
    }
    return note;
  };
  const open: Sharing['open'] = async (secret, language) => {
    const link = links().find(secret);
    if (link === null || !endUnlessActive(link)) return null;
    const read = await readNote(link.path);
    if (read === null || read.bytes.length > maxNoteBytes) return null;
    return { link, note: await renderCached(link, read, language) };
  };
  return {
    open,
    async create(path, days, maker) {
      // The catalogue has the path in the capitals of the disk, by which its removal is recorded.
      if (findFile(await restricted.contents(), path) === undefined) return 'missing';
      const read = await readNote(path);
      if (read === null) return 'missing';
      if (read.bytes.length > maxNoteBytes) return 'too-large';
      const createdAt = now();
      return links().create({ path, createdAt, until: createdAt + days * dayMs, maker });
    },
    list: () => links().list().filter(endUnlessActive),
    remove: (id) => links().remove(id),
    async openFile(secret, key) {
      const shared = await open(secret, 'en');
      const [, path] = shared?.note.files.find(([each]) => each === key) ?? [];
      if (path === undefined) return null;
      const file = path.split('/').reduce(childPath, rootPath);
      const read = await restricted.readFile(file);
      return read.kind === 'file' ? { ...read, name: baseName(file) } : null;
    },
  };
}
