import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import type { UpdateRecord } from '../api/updates-api.ts';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { buttonClass } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page, Section } from '../ui/page.tsx';
import { ChangeFilters } from './change-filters.tsx';
import { ChangeList } from './change-list.tsx';
import { summarizeUpdate } from './update-summary.ts';
import { StepLine } from './step-list.tsx';

const row =
  'flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5 text-small -outline-offset-2 hover:bg-hover';
const list = 'divide-y divide-line overflow-hidden rounded-medium border border-line bg-surface';

/** The change history of the vault, or the list of all updates, including those that changed nothing. */
export function ActivityPage() {
  const text = useText();
  const navigate = useNavigate();
  const { view = 'changes', ...filter } = useSearch({ from: '/activity' });
  const isEmpty = Object.values(filter).every((value) => value === undefined);
  return (
    <Page
      title={text.activity.title}
      actions={
        <SegmentedControl
          label={text.changes.view}
          value={view}
          options={[
            { value: 'changes', label: text.changes.list },
            { value: 'updates', label: text.changes.updates },
          ]}
          onChange={(next) =>
            void navigate({ to: '/activity', search: next === 'updates' ? { view: next } : {} })
          }
        />
      }
    >
      {view === 'updates' ? (
        <Updates />
      ) : (
        <>
          <InProgress />
          <ChangeFilters
            filter={filter}
            onChange={(next) => void navigate({ to: '/activity', search: next, replace: true })}
          />
          <ChangeList
            filter={filter}
            none={
              <EmptyState
                icon={Activity}
                title={isEmpty ? text.changes.empty : text.changes.none}
                {...(isEmpty && { hint: text.changes.emptyHint })}
              />
            }
          />
        </>
      )}
    </Page>
  );
}

/** Unfinished updates, and the number of changes that wait for approval. */
function InProgress() {
  const { queries } = useServices();
  const text = useText().changes;
  const { data } = useQuery(queries.updates.list);
  const { data: inbox } = useQuery(queries.inbox);
  const open = data?.updates.filter(({ state }) => isUnfinished[state]) ?? [];
  const held = inbox?.waiting.filter(({ kind }) => kind === 'held').length ?? 0;
  if (open.length === 0 && held === 0) return null;
  return (
    <Section title={text.now}>
      {held > 0 && (
        <Notice
          tone="warn"
          title={text.waiting(held)}
          actions={
            <Link to="/inbox" className={buttonClass()}>
              {text.decide}
            </Link>
          }
        />
      )}
      {open.length > 0 && (
        <ul className={list}>
          {open.map((update) => (
            <li key={update.id}>
              <UpdateRow update={update} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const isUnfinished: Record<UpdateRecord['state'], boolean> = {
  waiting: true,
  running: true,
  parked: true,
  done: false,
  cancelled: false,
};

function Updates() {
  const { queries } = useServices();
  const text = useText().activity;
  const { data, error } = useQuery(queries.updates.list);
  const isEmpty = data?.updates.length === 0;
  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      {isEmpty && <EmptyState icon={Activity} title={text.empty} hint={text.emptyHint} />}
      {data !== undefined && data.updates.length > 0 && (
        <Section title={text.updates}>
          <ul className={list}>
            {data.updates.map((update) => (
              <li key={update.id}>
                <UpdateRow update={update} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function UpdateRow({ update }: { update: UpdateRecord }) {
  const text = useText();
  const format = useFormat();
  const { queries } = useServices();
  const isRunning = update.state === 'running';
  const { data: running } = useQuery({ ...queries.updates.get(update.id), enabled: isRunning });
  const { label, tone, summary } = summarizeUpdate(update, text);
  const last = isRunning ? running?.steps.at(-1) : undefined;
  return (
    <Link to="/activity/$id" params={{ id: update.id }} className={row}>
      <Badge tone={tone}>{label}</Badge>
      <span className="line-clamp-2 min-w-0 flex-1 basis-48 break-words">{summary}</span>
      <span className="text-tiny text-soft">{format.ago(update.acceptedAt)}</span>
      {last !== undefined && <StepLine step={last} />}
    </Link>
  );
}
