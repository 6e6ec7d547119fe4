import { ApiError } from '../api/api-error.ts';
import { useText } from '../text/use-text.ts';
import { Notice } from './notice.tsx';

/** Shows an error and the server's advice. `title` names the action that failed. */
export function ErrorNotice({ error, title }: { error: unknown; title?: string }) {
  const text = useText();
  if (error instanceof ApiError && error.code === 'offline')
    return title === undefined ? (
      <Notice tone="warn" title={text.error.offline} />
    ) : (
      <Notice tone="danger" title={title}>
        <p>{text.error.offline}</p>
      </Notice>
    );
  const ours = error instanceof ApiError && error.code !== 'offline' ? text.problems[error.code] : undefined;
  const message = ours ?? (error instanceof Error ? error.message : String(error));
  return (
    <Notice tone="danger" title={title ?? text.error.title}>
      <p>{message}</p>
      {ours === undefined && error instanceof ApiError && error.next !== '' && (
        <p className="text-soft">{error.next}</p>
      )}
    </Notice>
  );
}
