import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarClock, CircleAlert } from 'lucide-react';
import { formatLocalTime } from '../../contract/index.ts';
import type { Project } from '../api/files-api.ts';
import { useServices } from '../shell/services.ts';
import { useDayText } from '../text/day-text.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { useVaultTime } from '../text/use-vault-time.ts';
import { Section } from '../ui/page.tsx';

/** Each project with its status, its next deadline and when it was last changed. */
export function Projects() {
  const { queries } = useServices();
  const text = useText().home;
  const { data } = useQuery(queries.files.projects);
  if (data === undefined || data.projects.length === 0) return null;
  return (
    <Section title={text.projects}>
      <ul className="grid gap-2 wide:grid-cols-2 wide:gap-3">
        {data.projects
          .toSorted((a, b) => a.title.localeCompare(b.title))
          .map((project) => (
            <li key={project.path} className="flex min-w-0">
              <Card project={project} />
            </li>
          ))}
      </ul>
    </Section>
  );
}

function Card({ project: { title, path, status, deadline, updated } }: { project: Project }) {
  const text = useText().home;
  const format = useFormat();
  const instantOf = useVaultTime();
  const at = updated === null ? null : instantOf(updated);
  const tasksText = useDayText().tasks;
  const today = formatLocalTime(Date.now()).slice(0, 10);
  const isPast = deadline !== null && deadline.day < today;
  const Icon = isPast ? CircleAlert : CalendarClock;
  return (
    <Link
      to="/file/$"
      params={{ _splat: path.replace(/^vault\//, '') }}
      className="flex min-w-0 flex-1 flex-col gap-1.5 rounded-large border border-line bg-surface p-3 hover:border-line-strong wide:p-4"
    >
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 font-medium break-words">{title}</span>
        {at !== null && <span className="shrink-0 text-tiny text-soft">{format.ago(at)}</span>}
      </span>
      {status !== null && <span className="line-clamp-2 text-small text-soft">{status}</span>}
      {deadline !== null && (
        <span className={`mt-auto flex items-start gap-1.5 text-small ${isPast ? 'text-danger' : ''}`}>
          <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="line-clamp-1 min-w-0">
            {isPast && <span className="font-medium">{tasksText.dues.overdue}, </span>}
            {text.due(format.nearDay(deadline.day), deadline.task)}
          </span>
        </span>
      )}
    </Link>
  );
}
