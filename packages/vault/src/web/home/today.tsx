import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TodayItem } from '../api/files-api.ts';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { Section } from '../ui/page.tsx';

const lists = ['overdue', 'due', 'appointments', 'waiting', 'upcoming'] as const;

/** The maximum number of items in each list; the others are counted. */
const maxItems = 5;

/** Overdue and due tasks, appointments and waiting tasks of all notes. */
export function Today() {
  const { queries } = useServices();
  const text = useText().home;
  const { data } = useQuery(queries.files.today);
  if (data === undefined) return null;
  const present = lists.filter((list) => data.counts[list] > 0);
  if (present.length === 0) return null;
  return (
    <Section title={text.today}>
      <div className="flex flex-col divide-y divide-line rounded-large border border-line bg-surface px-3 wide:px-4">
        {present.map((list) => (
          <div key={list} className="flex flex-col py-2">
            <h3 className={`text-tiny font-semibold ${list === 'overdue' ? 'text-warn' : 'text-soft'}`}>
              {text.todayLists[list]}
            </h3>
            <ul>
              {data[list].slice(0, maxItems).map((item) => (
                <li key={`${item.path}:${item.line}`}>
                  <Row item={item} today={data.day} />
                </li>
              ))}
            </ul>
            {data.counts[list] > maxItems && (
              <p className="text-tiny text-soft">{text.moreTasks(data.counts[list] - maxItems)}</p>
            )}
          </div>
        ))}
      </div>
    </Section>
  );
}

function Row({ item, today }: { item: TodayItem; today: string }) {
  const { path, line, title, day, time, endTime, repeat, priority } = item;
  const text = useText().home;
  const format = useFormat();
  const hours = time === null ? null : endTime === null ? time : `${time}–${endTime}`;
  const details = [
    ...(day === null || day === today ? [] : [format.shortDay(day)]),
    ...(hours === null ? [] : [hours]),
    ...(repeat === null ? [] : [`🔁 ${repeat}`]),
  ].join(' · ');
  const file = path.replace(/^vault\//, '');
  return (
    <Link
      to="/file/$"
      params={{ _splat: file }}
      hash={`L${line}`}
      className="flex min-w-0 flex-wrap items-baseline gap-x-3 py-1 text-small -outline-offset-2 hover:underline"
    >
      <span className="min-w-0 flex-1 basis-48 break-words">
        {priority === 0 && (
          <span className="text-warn" title={text.urgent}>
            !{' '}
          </span>
        )}
        {title}
      </span>
      {details !== '' && <span className="shrink-0 text-tiny text-soft">{details}</span>}
      <span className="max-w-full truncate text-tiny text-soft">{file}</span>
    </Link>
  );
}
