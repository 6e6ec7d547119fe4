import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Clock } from 'lucide-react';
import type { UpdateRecord } from '../api/updates-api.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Spinner } from '../ui/spinner.tsx';

/** Says what an unfinished update is waiting for. */
export function ProgressLine({ update }: { update: UpdateRecord }) {
  const { queries } = useServices();
  const { run, composer } = useText();
  const { data: status } = useQuery(queries.status);
  if (update.state !== 'waiting') return <Spinner label={run.working} />;
  if (status?.models.agents !== null) return <Spinner label={run.accepted} />;
  return (
    <span role="status" className="inline-flex items-center gap-2 text-small text-soft">
      <Clock aria-hidden className="size-4 shrink-0" />
      <span>
        {run.waitsForModel}.{' '}
        <Link to="/settings" className="text-accent underline">
          {composer.howTo}
        </Link>
      </span>
    </span>
  );
}
