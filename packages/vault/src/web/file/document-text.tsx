import { useQuery } from '@tanstack/react-query';
import { FileQuestion } from 'lucide-react';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import type { LineRange } from './line-range.ts';
import { parseNoteFile } from './note.ts';
import { SourceView } from './source-view.tsx';

type Props = {
  path: string;
  etag: string;
  range: LineRange | null;
  actions: ReactNode;
  /** Shown below the reason if there is no text. */
  fallback?: ReactNode;
};

/** The text of a document, with the lines that search cites. */
export function DocumentText({ path, etag, range, actions, fallback }: Props) {
  const { queries } = useServices();
  const text = useText().file;
  const { data, error } = useQuery(queries.files.text(path, etag));
  const lines = useMemo(() => parseNoteFile(data?.text ?? '').lines, [data]);
  if (error !== null && fallback !== undefined)
    return (
      <div className="flex min-w-0 flex-col gap-3">
        <Notice tone="warn" title={error.message} />
        {fallback}
      </div>
    );
  if (error !== null)
    return (
      <EmptyState icon={FileQuestion} title={text.notText} hint={error.message}>
        {actions}
      </EmptyState>
    );
  if (data === undefined) return <Spinner label={text.opening} />;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {actions}
        {data.extracted !== null && <p className="text-small text-soft">{text.extracted}</p>}
      </div>
      {data.extracted?.warnings.map((warning) => (
        <Notice key={warning} tone="warn" title={warning} />
      ))}
      <SourceView lines={lines} range={range} />
    </div>
  );
}
