import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  Activity,
  CalendarDays,
  House,
  Inbox,
  ListChecks,
  MessageCircleQuestion,
  Search,
  Settings,
  Tags,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { Shortcut } from '../ui/shortcut.tsx';
import { TreePanel } from '../tree/tree-panel.tsx';
import { useServices } from './services.ts';
import { useViewer } from './use-viewer.ts';
import { StatusLine } from './status-line.tsx';

export function Sidebar() {
  const { queries, isPaletteOpen } = useServices();
  const { shell } = useText();
  const { data: inbox } = useQuery(queries.inbox);
  const { data: status } = useQuery(queries.status);
  const { canWrite } = useViewer();
  const waiting = canWrite ? (inbox?.waiting.length ?? 0) : 0;
  return (
    <>
      <div className="flex flex-col gap-3 px-3 pt-4 pb-2">
        <Link to="/" className="flex items-center gap-2 rounded-medium px-2 text-base font-semibold">
          <img src="/icon.svg" alt="" className="size-5" />
          Keepsake
          {status !== undefined && (
            <span className="min-w-0 truncate text-small font-normal text-soft">{status.vault}</span>
          )}
        </Link>
        <button
          type="button"
          onClick={() => isPaletteOpen.set(true)}
          className="flex h-8 items-center gap-2 rounded-medium border border-line bg-surface px-[0.4375rem] text-small text-soft hover:border-line-strong"
        >
          <Search aria-hidden className="size-4 shrink-0" />
          <span className="flex-1 text-left">{shell.search}</span>
          <span className="text-tiny pointer-coarse:hidden">
            <Shortcut letter="K" />
          </span>
        </button>
        <ul className="flex flex-col gap-0.5">
          <Entry to="/" icon={House} label={shell.home} />
          <Entry to="/inbox" icon={Inbox} label={shell.inbox}>
            {waiting > 0 && (
              <span
                role="img"
                aria-label={shell.waiting(waiting)}
                className="grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1.5 text-tiny font-semibold text-on-accent"
              >
                {waiting}
              </span>
            )}
          </Entry>
          <Entry to="/tasks" icon={ListChecks} label={shell.tasks} />
          <Entry to="/calendar" icon={CalendarDays} label={shell.calendar} />
          <Entry to="/tags" icon={Tags} label={shell.tags} />
          <Entry to="/answers" icon={MessageCircleQuestion} label={shell.answers} />
          <Entry to="/activity" icon={Activity} label={shell.activity} />
          <Entry to="/settings" icon={Settings} label={shell.settings} />
        </ul>
      </div>
      <TreePanel />
      <StatusLine />
    </>
  );
}

type EntryProps = {
  to: '/' | '/inbox' | '/tasks' | '/calendar' | '/tags' | '/answers' | '/activity' | '/settings';
  icon: LucideIcon;
  label: string;
  children?: ReactNode;
};

function Entry({ to, icon: Icon, label, children }: EntryProps) {
  return (
    <li>
      <Link
        to={to}
        activeOptions={{ exact: to === '/' }}
        activeProps={{ className: 'bg-hover text-ink font-medium', 'aria-current': 'page' }}
        inactiveProps={{ className: 'text-soft' }}
        className="flex h-8 items-center gap-2 rounded-medium px-2 text-small hover:bg-hover hover:text-ink"
      >
        <Icon aria-hidden className="size-4 shrink-0" />
        <span className="flex-1">{label}</span>
        {children}
      </Link>
    </li>
  );
}
