import { Link } from '@tanstack/react-router';
import { ChangeRow } from '../activity/change-row.tsx';
import { useChanges } from '../activity/use-changes.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { Section } from '../ui/page.tsx';

const maxRecentChanges = 6;

/** The latest changes by day. Changes by Keepsake itself are only on the activity page. */
export function RecentChanges() {
  const text = useText().home;
  const format = useFormat();
  const { changes } = useChanges({});
  const latest = changes?.filter(({ who }) => who.kind !== 'upkeep').slice(0, maxRecentChanges) ?? [];
  if (latest.length === 0) return null;
  return (
    <Section title={text.latest}>
      <ol className="rounded-large border border-line bg-surface px-3 wide:px-4">
        {latest.map((change, index) => (
          <li key={change.id} className={index === 0 ? '' : 'border-t border-line'}>
            {latest[index - 1]?.day !== change.day && (
              <h3 className="pt-3 text-tiny font-semibold text-soft first-letter:uppercase">
                {format.day(change.day)}
              </h3>
            )}
            <ChangeRow change={change} />
          </li>
        ))}
      </ol>
      <Link
        to="/activity"
        className="w-fit rounded-small text-small text-accent underline underline-offset-2"
      >
        {text.allActivity}
      </Link>
    </Section>
  );
}
