import { Link } from '@tanstack/react-router';
import { FileText, Folder } from 'lucide-react';
import { FileMenuButton } from '../file-actions/menu-button.tsx';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import type { TreeNode } from '../tree/build-tree.ts';
import { useModifiedTime } from '../tree/use-modified-time.ts';
import { Page } from '../ui/page.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';

/** The entries of a folder. */
export function FolderView({ node }: { node: TreeNode }) {
  const text = useText();
  const format = useFormat();
  const updatedAt = useModifiedTime();
  const dateOf = (child: TreeNode): string => {
    const at = updatedAt(child);
    return at === null ? '' : format.changedDay(at);
  };
  return (
    <Page
      eyebrow={<Breadcrumbs path={node.path} />}
      title={node.path === '' ? text.shell.navigation : node.name}
      about={text.file.inFolder(node.children.length)}
      actions={<FileMenuButton path={node.path} />}
    >
      <ul className="divide-y divide-line overflow-hidden rounded-medium border border-line bg-surface">
        {node.children.length === 0 && <li className="px-3 py-2 text-small text-soft">{text.tree.empty}</li>}
        {node.children.map((child) => {
          const Icon = child.isFolder ? Folder : FileText;
          return (
            <li key={child.path}>
              <Link
                to="/file/$"
                params={{ _splat: child.path }}
                className="flex min-h-10 items-center gap-3 px-3 py-1 text-small -outline-offset-2 hover:bg-hover"
              >
                <Icon aria-hidden className="size-4 shrink-0 text-soft" />
                <span className="min-w-0 flex-1 break-words">{child.name}</span>
                <span className="shrink-0 text-tiny text-soft tabular-nums">
                  {child.isFolder ? text.file.inFolder(child.children.length) : dateOf(child)}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </Page>
  );
}
