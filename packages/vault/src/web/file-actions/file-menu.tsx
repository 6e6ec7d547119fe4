import { Menu } from '@base-ui/react/menu';
import { useQuery } from '@tanstack/react-query';
import { Eraser, FilePlus2, FolderInput, PenLine, Trash2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useServices } from '../shell/services.ts';
import { useViewer } from '../shell/use-viewer.ts';
import { useText } from '../text/use-text.ts';
import { ExportItems, itemClass } from './export-items.tsx';
import { isRequiredPath, parentFolder } from './file-action.ts';
import type { FileAction } from './file-action.ts';

type Entry = [Exclude<FileAction, { kind: 'menu' | 'import' }>, LucideIcon, string?];

function forgetEntry(path: string): Entry {
  return [{ kind: 'forget', target: { kind: 'path', path, lines: null } }, Eraser];
}

type Props = { path: string; at: { x: number; y: number }; onClose: () => void };

/** The actions for a file or folder, shown at the pointer. */
export function FileMenu({ path, at, onClose }: Props) {
  const { fileAction, queries } = useServices();
  const text = useText().arrange;
  const { data: status } = useQuery(queries.status);
  const { data: tree } = useQuery(queries.files.tree);
  const isFolder = path === '' || tree?.byPath.get(path)?.isFolder === true;
  const isNote = !isFolder && /\.(?:md|markdown)$/i.test(path);
  const { canWrite, isOwner } = useViewer();
  const entries: Entry[] = !canWrite
    ? []
    : [
        [{ kind: 'create', folder: isFolder ? path : parentFolder(path) }, FilePlus2],
        [{ kind: 'rename', path }, PenLine, 'F2'],
        [{ kind: 'move', path }, FolderInput],
        [{ kind: 'delete', path }, Trash2, 'Del'],
        ...(isFolder || !isOwner ? [] : [forgetEntry(path)]),
      ];
  const isKept = isRequiredPath(path, status?.layout);
  return (
    <Menu.Root open onOpenChange={(isOpen) => !isOpen && fileAction.get()?.kind === 'menu' && onClose()}>
      <Menu.Portal>
        <Menu.Positioner
          anchor={{ getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) }}
          align="start"
          className="z-50"
        >
          <Menu.Popup
            aria-label={text.menu(path === '' ? 'vault' : path)}
            className="min-w-44 rounded-medium border border-line bg-raised p-1 text-small text-ink shadow-raised outline-none"
          >
            {entries.map(([next, Icon, key]) => (
              <Menu.Item
                key={next.kind}
                disabled={isKept && next.kind !== 'create'}
                onClick={() => fileAction.set(next)}
                className={itemClass}
              >
                <Icon aria-hidden className="size-4 shrink-0 text-soft" />
                <span className="flex-1">{text.does[next.kind]}</span>
                {key !== undefined && <kbd className="font-sans text-tiny text-soft">{key}</kbd>}
              </Menu.Item>
            ))}
            <ExportItems
              path={path}
              kind={isFolder ? 'folder' : isNote ? 'note' : 'file'}
              onClose={onClose}
            />
            {canWrite && isKept && path !== '' && (
              <p className="max-w-56 px-2 py-1 text-tiny text-soft">{text.problems.fixed}</p>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
