import { Menu } from '@base-ui/react/menu';
import { ClipboardCopy, Download, FileCode2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { exportUrl, fileUrl, htmlUrl } from '../api/files-api.ts';
import { parseNoteFile } from '../file/note.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { copyFormatted } from '../ui/copy-text.ts';
import { download } from './download.ts';
import { baseName } from './file-action.ts';

export const itemClass =
  'flex h-8 cursor-pointer items-center gap-2 rounded-small px-2 outline-none data-[disabled]:cursor-not-allowed data-[disabled]:text-soft data-[highlighted]:bg-hover';

type Props = { path: string; kind: 'folder' | 'note' | 'file'; onClose: () => void };

/** The menu items that take a file or folder out of the vault. */
export function ExportItems({ path, kind, onClose }: Props) {
  const { api, toasts } = useServices();
  const text = useText().arrange;
  const copy = async (): Promise<void> => {
    await copyFormatted(async () => {
      const [page, { text: source }] = await Promise.all([api.files.html(path), api.files.get(path)]);
      // Parsing the whole page would violate the policy of this one, because it contains a style.
      const html = page.slice(page.indexOf('<article>') + '<article>'.length, page.lastIndexOf('</article>'));
      return { html, text: parseNoteFile(source).body.trim() };
    });
    toasts.show(text.copied);
  };
  return (
    <>
      {kind === 'note' && (
        <Item icon={ClipboardCopy} onClick={() => void copy().catch(toasts.showError)} onClose={onClose}>
          {text.copyFormatted}
        </Item>
      )}
      <Item
        icon={Download}
        onClick={() =>
          kind === 'folder' ? download(exportUrl(path)) : download(fileUrl(path), baseName(path))
        }
        onClose={onClose}
      >
        {kind === 'folder' ? text.downloadZip : text.download}
      </Item>
      {kind === 'note' && (
        <Item icon={FileCode2} onClick={() => download(htmlUrl(path))} onClose={onClose}>
          {text.downloadHtml}
        </Item>
      )}
    </>
  );
}

type ItemProps = { icon: LucideIcon; onClick: () => void; onClose: () => void; children: ReactNode };

function Item({ icon: Icon, onClick, onClose, children }: ItemProps) {
  return (
    <Menu.Item
      onClick={() => {
        onClick();
        onClose();
      }}
      className={itemClass}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-soft" />
      {children}
    </Menu.Item>
  );
}
