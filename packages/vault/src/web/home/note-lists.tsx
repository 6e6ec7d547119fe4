import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileText, Folder, Pin } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { Status } from '../api/client.ts';
import { useServices } from '../shell/services.ts';
import { TagList } from '../tags/tags-page.tsx';
import { useDayText } from '../text/day-text.ts';
import { useFormat } from '../text/format.ts';
import { useVaultTime } from '../text/use-vault-time.ts';
import type { TreeNode } from '../tree/build-tree.ts';
import { Section } from '../ui/page.tsx';

const maxTags = 16;
const maxFolders = 12;

/** Pinned notes, and the latest by the dates in them. */
export function NoteLists() {
  const { queries } = useServices();
  const text = useDayText().home;
  const { data } = useQuery(queries.notes.list);
  if (data === undefined || data.recent.length + data.pinned.length === 0) return null;
  return (
    <div className={`grid gap-6 ${data.pinned.length > 0 ? 'wide:grid-cols-2' : ''}`}>
      {data.pinned.length > 0 && (
        <Section title={text.pinned}>
          <NoteList notes={data.pinned} icon={Pin} />
        </Section>
      )}
      {data.recent.length > 0 && (
        <Section title={text.recent}>
          <NoteList notes={data.recent} icon={FileText} isWide={data.pinned.length === 0} />
        </Section>
      )}
    </div>
  );
}

type ListProps = {
  notes: readonly { path: string; updated: string }[];
  icon: LucideIcon;
  isWide?: boolean;
};

function NoteList({ notes, icon: Icon, isWide = false }: ListProps) {
  const format = useFormat();
  const instantOf = useVaultTime();
  return (
    <ul
      className={`grid gap-x-8 rounded-large border border-line bg-surface px-3 py-1 wide:px-4 ${isWide ? 'wide:grid-cols-2' : ''}`}
    >
      {notes.map(({ path, updated }) => {
        const file = path.replace(/^vault\//, '');
        const parts = file.split('/');
        // Daily notes may be in a folder per year, which says nothing.
        const folder = /^\d{4}$/.test(parts.at(-2) ?? '') ? parts.at(-3) : parts.at(-2);
        const at = instantOf(updated);
        return (
          <li key={path} className="min-w-0">
            <Link
              to="/file/$"
              params={{ _splat: file }}
              title={file}
              className="flex min-w-0 items-baseline gap-2 rounded-small py-1 text-small -outline-offset-2 hover:underline"
            >
              <Icon aria-hidden className="size-3.5 shrink-0 self-center text-soft" />
              <span className="min-w-0 flex-1 truncate">
                {(parts.at(-1) ?? file).replace(/\.md$/, '')}
                {folder !== undefined && <span className="pl-2 text-tiny text-soft">{folder}</span>}
              </span>
              {at !== null && (
                <span className="shrink-0 text-tiny text-soft">
                  {updated.endsWith('T00:00:00') ? format.nearDay(updated.slice(0, 10)) : format.ago(at)}
                </span>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** The folders at the top of a vault that is not arranged by projects, with their number of notes. */
export function Folders({ layout }: { layout: Status['layout'] }) {
  const { queries } = useServices();
  const text = useDayText().home;
  const { data: tree } = useQuery(queries.files.tree);
  const { data: projects } = useQuery(queries.files.projects);
  if (tree === undefined || projects === undefined || projects.projects.length > 0) return null;
  const own = tree.root.children.filter(
    ({ isFolder, name }) => isFolder && ![layout.inbox, layout.projects, 'bucket'].includes(name),
  );
  const folders = own
    .map((node) => ({ node, notes: countNotes(node) }))
    .filter(({ notes }) => notes > 0)
    .toSorted((a, b) => b.notes - a.notes)
    .slice(0, maxFolders);
  if (folders.length === 0) return null;
  return (
    <Section title={text.folders}>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-2">
        {folders.map(({ node, notes }) => (
          <li key={node.path} className="flex min-w-0">
            <Link
              to="/file/$"
              params={{ _splat: node.path }}
              className="flex min-w-0 flex-1 items-center gap-2.5 rounded-medium border border-line bg-surface px-3 py-2 hover:border-line-strong"
            >
              <Folder aria-hidden className="size-4 shrink-0 text-soft" />
              <span className="flex min-w-0 flex-col">
                <span className="truncate text-small font-medium">{node.name}</span>
                <span className="text-tiny text-soft">{text.inFolder(notes)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The most frequent tags. */
export function FrequentTags() {
  const { queries } = useServices();
  const words = useDayText();
  const { data } = useQuery(queries.notes.tags(undefined));
  if (data === undefined || data.tags.length === 0) return null;
  return (
    <Section
      title={words.home.tags}
      more={data.tags.length > maxTags ? <Link to="/tags">{words.tags.all}</Link> : undefined}
    >
      <TagList tags={data.tags.slice(0, maxTags)} />
    </Section>
  );
}

function countNotes(node: TreeNode): number {
  if (!node.isFolder) return node.path.endsWith('.md') ? 1 : 0;
  return node.children.reduce((sum, child) => sum + countNotes(child), 0);
}
