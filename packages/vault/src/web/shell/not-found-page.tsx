import { Link } from '@tanstack/react-router';
import { FileQuestion } from 'lucide-react';
import { useText } from '../text/use-text.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';

export function NotFoundPage() {
  const { shell } = useText();
  return (
    <EmptyState icon={FileQuestion} title={shell.notFound} hint={shell.notFoundHint}>
      <Link to="/" className={buttonClass()}>
        {shell.backHome}
      </Link>
    </EmptyState>
  );
}

export function ErrorPage({ error, reset }: { error: unknown; reset: () => void }) {
  const { shell } = useText();
  return (
    <Page title={shell.broken}>
      <ErrorNotice error={error} />
      <Button onClick={reset} className="self-start">
        {shell.reload}
      </Button>
    </Page>
  );
}
