import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Link, X } from 'lucide-react';
import { FileMenuButton } from '../file-actions/menu-button.tsx';
import { useServices } from '../shell/services.ts';
import { useViewer } from '../shell/use-viewer.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { useVaultTime } from '../text/use-vault-time.ts';
import { useModifiedTime } from '../tree/use-modified-time.ts';
import { IconButton } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { PageHeader } from '../ui/page.tsx';
import { useHeightVariable } from '../ui/use-height-variable.ts';
import { preloadEditor } from './editor.tsx';
import type { LineRange } from './line-range.ts';
import { PinButton } from './pin-button.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { isPdf } from './view-of.ts';
import type { FileMode } from './view-of.ts';

type Props = {
  path: string;
  /** The `created` stamp of the note. */
  created: string | undefined;
  /** The `title` property of the note. */
  title: string | undefined;
  /** Whether the text starts with a title, so that the file name is only part of the path. */
  startsWithTitle: boolean;
  mode: FileMode;
  range: LineRange | null;
  isText: boolean;
  onMode: (mode: FileMode) => void;
};

/** The path, dates and size of a file, and the choice of view. */
export function FileHeader({ path, created, title, startsWithTitle, mode, range, isText, onMode }: Props) {
  const { queries } = useServices();
  const { canWrite } = useViewer();
  const text = useText();
  const format = useFormat();
  const header = useHeightVariable('--header-height');
  const { data: tree } = useQuery(queries.files.tree);
  const node = tree?.byPath.get(path);
  const updatedAt = useModifiedTime();
  const updated = node === undefined ? null : updatedAt(node);
  const instantOf = useVaultTime();
  const madeAt = created === undefined ? null : instantOf(created);
  // A date without a time must not shift with the time zone.
  const isDay = created?.trim().length === 10;
  const made = madeAt === null ? null : isDay ? format.shortDay(created.trim()) : format.date(madeAt);
  const hasTitle = title !== undefined && title !== '';
  const about = [
    ...(updated === null ? [] : [text.file.updated(format.date(updated))]),
    ...(made === null ? [] : [text.file.created(made)]),
  ];
  return (
    <div
      ref={header}
      data-note-header
      className="z-20 border-b border-line bg-page pt-6 pb-3 wide:sticky wide:top-0 wide:pt-4"
    >
      <PageHeader
        eyebrow={<Breadcrumbs path={path} hasName={hasTitle} />}
        title={hasTitle ? title : (path.split('/').at(-1) ?? path)}
        isTitleInEyebrow={!hasTitle && startsWithTitle}
        // Reserves the line until the tree is loaded.
        about={tree !== undefined && about.length === 0 ? undefined : about.join(' · ')}
        actions={
          <>
            {range !== null && <Selection range={range} />}
            {node !== undefined && isText && path.endsWith('.md') && <PinButton path={path} />}
            {node !== undefined && <FileMenuButton path={path} />}
            <span className="contents" onPointerEnter={preloadEditor} onFocus={preloadEditor}>
              <SegmentedControl
                label={text.file.view}
                value={mode}
                onChange={onMode}
                options={(
                  [
                    { value: 'rendered', label: text.file.rendered },
                    {
                      value: 'source',
                      label: isPdf(path) ? text.file.text : text.file.source,
                      isDisabled: !isText && !isPdf(path),
                    },
                    ...(canWrite
                      ? [{ value: 'edit', label: text.file.edit, isDisabled: !isText } as const]
                      : []),
                    { value: 'history', label: text.file.history },
                  ] as const
                ).map((option) => ({ ...option }))}
              />
            </span>
          </>
        }
      />
    </div>
  );
}

function Selection({ range }: { range: LineRange }) {
  const { toasts } = useServices();
  const { file } = useText();
  const navigate = useNavigate();
  return (
    <span className="inline-flex h-8 items-center rounded-medium bg-mark pl-3 text-small">
      {file.lines(range.start, range.end)}
      <IconButton
        label={file.copyLink}
        onClick={() => void copyText(location.href).then(() => toasts.show(file.copied))}
      >
        <Link aria-hidden className="size-4" />
      </IconButton>
      <IconButton label={file.clearLines} onClick={() => void navigate({ to: '.', hash: '', replace: true })}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </span>
  );
}
