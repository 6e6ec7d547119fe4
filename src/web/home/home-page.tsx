import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { FileText, MessageCircleQuestion, PenLine, Plug, Search } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { focusComposer } from '../composer/composer-state.ts';
import type { Mode } from '../shell/preferences.ts';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useUpdated } from '../tree/use-updated.ts';
import { Page, Section } from '../ui/page.tsx';
import { PathLabel } from '../ui/path-label.tsx';
import { isFresh } from './is-fresh.ts';

const LossNotice = lazyPart(() => import('./loss-notice.tsx').then(({ LossNotice: part }) => part));

const GuidedStart = lazyPart(() => import('./guided-start.tsx').then(({ GuidedStart: part }) => part));

const recentFiles = 8;

/** For a new vault, what to try; for one in use, where to go on. */
export function HomePage() {
  const { queries, preferences, palette } = useServices();
  const text = useText().home;
  const navigate = useNavigate();
  const { data: tree } = useQuery(queries.tree);
  const { data: status } = useQuery(queries.status);
  const { overview = 'overview.md' } = status?.layout ?? {};
  const hasModel = status?.models.agents != null;
  const compose = (mode: Mode) => (): void => {
    preferences.set((all) => ({ ...all, mode }));
    focusComposer();
  };
  const openFile = (): void => {
    const path = tree?.byPath.has(overview) === true ? overview : tree?.files[0]?.path;
    if (path !== undefined) void navigate({ to: '/file/$', params: { _splat: path } });
  };
  const loss = status?.loss != null && <LossNotice loss={status.loss} />;
  if (tree !== undefined && status !== undefined && isFresh(tree, status.layout))
    return (
      <Page title={text.welcome}>
        {loss}
        <GuidedStart />
      </Page>
    );
  return (
    <Page title={text.welcome}>
      {loss}
      <Section title={text.known}>
        <div className="grid gap-2 wide:grid-cols-3 wide:gap-3">
          {hasModel ? (
            <>
              <Try sign={PenLine} title={text.tryFile} hint={text.tryFileHint} onClick={compose('file')} />
              <Try
                sign={MessageCircleQuestion}
                title={text.tryAsk}
                hint={text.tryAskHint}
                onClick={compose('ask')}
              />
            </>
          ) : (
            <>
              <Try sign={FileText} title={text.tryEdit} hint={text.tryEditHint} onClick={openFile} />
              <Try
                sign={Search}
                title={text.trySearch}
                hint={text.trySearchHint}
                onClick={() => palette.set(true)}
              />
            </>
          )}
          <Try
            sign={Plug}
            title={text.tryConnect}
            hint={text.tryConnectHint}
            onClick={() => void navigate({ to: '/settings' })}
          />
        </div>
      </Section>
      <Recent />
    </Page>
  );
}

function Try({
  sign: Sign,
  title,
  hint,
  onClick,
}: {
  sign: LucideIcon;
  title: string;
  hint: string;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex items-start gap-3 rounded-large border border-line bg-surface p-3 text-left hover:border-line-strong wide:flex-col wide:p-4"
    >
      <Sign aria-hidden className="mt-0.5 size-5 shrink-0 text-accent wide:mt-0" />
      <span className="flex min-w-0 flex-col gap-0.5 wide:gap-1">
        <span className="font-medium">{title}</span>
        <span className="text-small text-soft">{hint}</span>
      </span>
    </button>
  );
}

function Recent() {
  const { queries } = useServices();
  const text = useText().home;
  const format = useFormat();
  const { data: tree } = useQuery(queries.tree);
  const updatedAt = useUpdated();
  const files = tree?.files
    .filter(({ path }) => path !== 'tree.md')
    .map((node) => ({ path: node.path, updated: updatedAt(node) }))
    .filter(({ updated }) => updated !== null)
    .toSorted((a, b) => (b.updated ?? 0) - (a.updated ?? 0))
    .slice(0, recentFiles);
  return (
    <Section title={text.recent}>
      <ul className="divide-y divide-line overflow-hidden rounded-medium border border-line bg-surface">
        {files?.map(({ path, updated }) => (
          <li key={path}>
            <Link
              to="/file/$"
              params={{ _splat: path }}
              className="flex flex-wrap items-center justify-between gap-x-4 px-3 py-2 text-small -outline-offset-2 hover:bg-hover"
            >
              <PathLabel path={path} />
              <span className="text-tiny text-soft">{format.date(updated ?? '')}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
