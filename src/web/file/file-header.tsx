import { useQuery } from '@tanstack/react-query';
import { Link as RouteLink, useNavigate } from '@tanstack/react-router';
import { Link, X } from 'lucide-react';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import type { LineRange } from './line-range.ts';

export type FileMode = 'rendered' | 'source' | 'edit' | 'history';

type Props = {
  path: string;
  mode: FileMode;
  range: LineRange | null;
  isText: boolean;
  onMode: (mode: FileMode) => void;
};

/** Where the file is, how old and how long it is, and the ways to look at it. */
export function FileHeader({ path, mode, range, isText, onMode }: Props) {
  const { queries } = useServices();
  const text = useText();
  const format = useFormat();
  const { data: tree } = useQuery(queries.tree);
  const node = tree?.byPath.get(path);
  const about = [
    ...(node?.updated ? [text.file.updated(format.date(node.updated))] : []),
    ...(node?.tokens ? [text.tree.tokens(node.tokens)] : []),
  ];
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-line pb-3">
      <div className="min-w-0 flex-1 basis-64">
        <Trail path={path} />
        <p className="mt-0.5 min-h-5 text-tiny text-soft">{about.join(' · ')}</p>
      </div>
      <div className="flex max-w-full flex-wrap items-center gap-2">
        {range !== null && <Selection range={range} />}
        <Choice
          label={text.file.view}
          value={mode}
          onChange={onMode}
          options={(
            [
              { value: 'rendered', label: text.file.rendered },
              { value: 'source', label: text.file.source, isDisabled: !isText },
              { value: 'edit', label: text.file.edit, isDisabled: !isText },
              { value: 'history', label: text.file.history },
            ] as const
          ).map((option) => ({ ...option }))}
        />
      </div>
    </header>
  );
}

/** The path as a heading, each folder a link. */
function Trail({ path }: { path: string }) {
  const parts = path.split('/');
  return (
    <h1 className="text-large font-semibold break-words">
      {parts.slice(0, -1).map((part, index) => (
        <span key={`${index}-${part}`} className="text-base font-normal text-soft">
          <RouteLink
            to="/file/$"
            params={{ _splat: parts.slice(0, index + 1).join('/') }}
            className="rounded-small hover:text-ink hover:underline"
          >
            {part}
          </RouteLink>
          <span aria-hidden> / </span>
        </span>
      ))}
      {parts.at(-1)}
    </h1>
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
        onClick={() => void navigator.clipboard.writeText(location.href).then(() => toasts.say(file.copied))}
      >
        <Link aria-hidden className="size-4" />
      </IconButton>
      <IconButton label={file.clearLines} onClick={() => void navigate({ to: '.', hash: '', replace: true })}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </span>
  );
}
