import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useStore } from '../live/store.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { useServices } from './services.ts';

/** Index lag, queue and today's spend, in one line. */
export function StatusLine() {
  const { queries, connection } = useServices();
  const text = useText();
  const format = useFormat();
  const isLive = useStore(connection) === 'live';
  const { data: status } = useQuery({ ...queries.status, refetchInterval: 30_000 });
  // Reserves the space, so that the tree does not shrink after it was scrolled.
  if (status === undefined) return <div className="h-[3.0625rem] shrink-0 border-t border-line" />;
  const { index, queue, models, spend, here } = status;
  const waiting = queue.waiting + queue.running;
  const isOnlyParked = waiting === 0 && queue.parked > 0;
  return (
    <Link
      to="/settings"
      className="flex shrink-0 flex-col border-t border-line px-5 py-2 text-tiny text-soft -outline-offset-2 hover:text-ink"
    >
      <span className="flex items-center gap-2">
        <span aria-hidden className={`size-2 shrink-0 rounded-full ${isLive ? 'bg-good' : 'bg-warn'}`} />
        {index.comparedAt === null
          ? text.status.notIndexed
          : text.status.indexed(format.ago(index.comparedAt))}
      </span>
      <span className="pl-4">
        {isOnlyParked ? (
          <span className="text-warn">{text.status.parked(queue.parked)}</span>
        ) : (
          text.status.queue(waiting)
        )}{' '}
        ·{' '}
        {models.agents === null
          ? text.status.noModel
          : spend.cost === null
            ? text.status.used(format.short(spend.tokens))
            : text.status.spend(format.money(spend.cost))}
      </span>
      {here.length > 0 && (
        <span className="truncate pl-4">
          {text.status.here(here.map((name) => name ?? text.changes.owner.who).join(', '))}
        </span>
      )}
      {queue.parked > 0 && !isOnlyParked && (
        <span className="pl-4 text-warn">{text.status.parked(queue.parked)}</span>
      )}
    </Link>
  );
}
