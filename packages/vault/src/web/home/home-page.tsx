import { useQuery } from '@tanstack/react-query';
import { formatLocalTime } from '../../contract/index.ts';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useViewer } from '../shell/use-viewer.ts';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { Page } from '../ui/page.tsx';
import { DraftsNotice } from './drafts-notice.tsx';
import { isNewVault } from './is-new-vault.ts';

const DeletedFilesNotice = lazyComponent(() =>
  import('./deleted-files-notice.tsx').then(({ DeletedFilesNotice: part }) => part),
);
const InboxSummary = lazyComponent(() =>
  import('./inbox-summary.tsx').then(({ InboxSummary: part }) => part),
);
const GettingStarted = lazyComponent(() =>
  import('./getting-started.tsx').then(({ GettingStarted: part }) => part),
);
const RecentChanges = lazyComponent(() =>
  import('./recent-changes.tsx').then(({ RecentChanges: part }) => part),
);
const ActivityHeatmap = lazyComponent(() =>
  import('./activity-heatmap.tsx').then(({ ActivityHeatmap: part }) => part),
);
const Today = lazyComponent(() => import('./today.tsx').then(({ Today: part }) => part));
const Projects = lazyComponent(() => import('./projects.tsx').then(({ Projects: part }) => part));
const VaultStats = lazyComponent(() => import('./vault-stats.tsx').then(({ VaultStats: part }) => part));

const NoteLists = lazyComponent(() => import('./note-lists.tsx').then(({ NoteLists: part }) => part));
const Folders = lazyComponent(() => import('./note-lists.tsx').then(({ Folders: part }) => part));
const FrequentTags = lazyComponent(() => import('./note-lists.tsx').then(({ FrequentTags: part }) => part));
const DemoOffer = lazyComponent(() => import('../demo/demo-offer.tsx').then(({ DemoOffer: part }) => part));

/**
 * Today first: tasks, the inbox, notes and projects, then what changed, and the year last. A new vault has its first steps
 * instead.
 */
export function HomePage() {
  const { queries } = useServices();
  const format = useFormat();
  const { canWrite } = useViewer();
  const { data: tree } = useQuery(queries.files.tree);
  const { data: status } = useQuery(queries.status);
  const isNew = tree !== undefined && status !== undefined && isNewVault(tree, status.layout);
  const date = format.fullDay(formatLocalTime(Date.now()).slice(0, 10));
  return (
    <Page
      title={status?.vault ?? '…'}
      eyebrow={<span className="inline-block first-letter:uppercase">{date}</span>}
    >
      {canWrite && status?.loss != null && <DeletedFilesNotice loss={status.loss} />}
      <DraftsNotice />
      <DemoOffer />
      <Today />
      {canWrite && <InboxSummary />}
      {isNew && canWrite && <GettingStarted />}
      {!isNew && status !== undefined && (
        <>
          <NoteLists />
          <Projects />
          <Folders layout={status.layout} />
          <FrequentTags />
        </>
      )}
      <RecentChanges />
      {!isNew && (
        <>
          <VaultStats />
          <ActivityHeatmap />
        </>
      )}
    </Page>
  );
}
