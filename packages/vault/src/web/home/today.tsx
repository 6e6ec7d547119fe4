import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarCheck } from 'lucide-react';
import type { TodayItem } from '../api/files-api.ts';
import type { TaskItem } from '../api/notes-api.ts';
import { useServices } from '../shell/services.ts';
import { groupByDue } from '../tasks/group-by-due.ts';
import { PlaceLink, TaskRow } from '../tasks/task-row.tsx';
import { useDayText } from '../text/day-text.ts';
import { useFormat } from '../text/format.ts';
import { Section } from '../ui/page.tsx';

/** The maximum number of items in each group; the tasks page shows the others. */
const maxItems = 5;

type Group = {
  name: keyof ReturnType<typeof useDayText>['home']['groups'];
  tasks: TaskItem[];
  appointments?: TodayItem[];
};

/** Overdue and due tasks, appointments and waiting tasks of all notes; open tasks if nothing is due. */
export function Today() {
  const { queries } = useServices();
  const words = useDayText();
  const text = words.home;
  const { data } = useQuery(queries.notes.tasks({ limit: 200 }));
  const { data: today } = useQuery(queries.files.today);
  if (data === undefined || today === undefined) return null;
  const groups = listGroups(data.tasks, data.day, today.appointments);
  if (groups.length === 0) return null;
  const hasDue = groups.some(({ name }) => name !== 'open' && name !== 'waiting');
  return (
    <Section title={text.today} more={<Link to="/tasks">{words.tasks.all}</Link>}>
      <div className="flex flex-col divide-y divide-line rounded-large border border-line bg-surface px-3 wide:px-4">
        {!hasDue && <p className="py-2.5 text-small text-soft">{text.nothingDue}</p>}
        {groups.map((group) => (
          <TaskGroup key={group.name} group={group} day={data.day} />
        ))}
      </div>
    </Section>
  );
}

function TaskGroup({ group: { name, tasks, appointments = [] }, day }: { group: Group; day: string }) {
  const text = useDayText().home;
  const count = tasks.length + appointments.length;
  return (
    <div className="flex flex-col py-2">
      <h3
        className={`flex items-baseline gap-2 text-tiny font-semibold ${name === 'overdue' ? 'text-danger' : name === 'today' ? 'text-accent' : 'text-soft'}`}
      >
        {text.groups[name]}
        <span className="font-normal tabular-nums">{count}</span>
      </h3>
      <ul>
        {appointments.slice(0, maxItems).map((item) => (
          <li key={`${item.path}:${item.line}`}>
            <AppointmentRow item={item} today={day} />
          </li>
        ))}
        {tasks.slice(0, maxItems).map((task) => (
          <li key={`${task.path}:${task.line}:${task.title}`}>
            <TaskRow task={task} today={day} isBrief />
          </li>
        ))}
      </ul>
      {tasks.length > maxItems && (
        <Link
          to="/tasks"
          search={name === 'overdue' || name === 'today' || name === 'week' ? { due: name } : {}}
          className="w-fit text-tiny text-soft underline underline-offset-2"
        >
          {text.more(tasks.length - maxItems)}
        </Link>
      )}
    </div>
  );
}

function AppointmentRow({ item, today }: { item: TodayItem; today: string }) {
  const format = useFormat();
  const { path, line, title, day, time, endTime } = item;
  const hours = endTime === null ? time : `${time}–${endTime}`;
  return (
    <div className="flex min-w-0 items-start gap-2.5 py-1.5">
      <CalendarCheck aria-hidden className="mt-0.5 size-5 shrink-0 p-0.5 text-accent" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to="/file/$"
          params={{ _splat: path.replace(/^vault\//, '') }}
          hash={`L${line}`}
          className="min-w-0 flex-1 basis-56 text-small break-words hover:underline"
        >
          {title}
        </Link>
        <span className="text-tiny text-soft">
          {[day === null || day === today ? null : format.nearDay(day), hours]
            .filter((part) => part !== null)
            .join(' · ')}
        </span>
        <span className="flex min-w-0 wide:w-32">
          <PlaceLink path={path} />
        </span>
      </div>
    </div>
  );
}

/** The groups that contain something. Open tasks without a deadline fill a day on which little is due. */
function listGroups(tasks: readonly TaskItem[], day: string, appointments: readonly TodayItem[]): Group[] {
  const isTimed = ({ path, line }: TaskItem): boolean =>
    appointments.some((each) => each.path === path && each.line === line);
  const active = tasks.filter((task) => task.status !== 'waiting' && !isTimed(task));
  const byDue = new Map(groupByDue(active, day).map((group) => [group.due, group.tasks]));
  const groups: Group[] = [
    { name: 'overdue', tasks: byDue.get('overdue') ?? [] },
    { name: 'today', tasks: byDue.get('today') ?? [] },
    { name: 'appointments', tasks: [], appointments: [...appointments] },
    { name: 'week', tasks: byDue.get('week') ?? [] },
    { name: 'waiting', tasks: tasks.filter((task) => task.status === 'waiting' && !isTimed(task)) },
  ];
  const present = groups.filter((group) => group.tasks.length > 0 || (group.appointments?.length ?? 0) > 0);
  const open = byDue.get('none') ?? [];
  return present.length < 3 && open.length > 0 ? [...present, { name: 'open', tasks: open }] : present;
}
