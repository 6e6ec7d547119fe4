import { ApiError } from '../api/problem.ts';
import { useText } from '../text/use-text.ts';
import { Notice } from './notice.tsx';

/** What went wrong, and what the server says to do about it. */
export function ErrorNotice({ error }: { error: unknown }) {
  const text = useText();
  if (error instanceof ApiError && error.code === 'offline')
    return <Notice tone="warn" title={text.error.offline} />;
  const ours = error instanceof ApiError && error.code !== 'offline' ? text.problems[error.code] : undefined;
  const message = ours ?? (error instanceof Error ? error.message : String(error));
  return (
    <Notice tone="danger" title={text.error.title}>
      <p>{message}</p>
      {ours === undefined && error instanceof ApiError && error.next !== '' && (
        <p className="text-soft">{error.next}</p>
      )}
    </Notice>
  );
}
