import { useQuery } from '@tanstack/react-query';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { Page } from '../ui/page.tsx';
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

/** First steps for a new vault; otherwise the tasks of today, the inbox, recent changes, activity and projects. */
export function HomePage() {
  const { queries } = useServices();
  const text = useText().home;
  const { data: tree } = useQuery(queries.files.tree);
  const { data: status } = useQuery(queries.status);
  const isNew = tree !== undefined && status !== undefined && isNewVault(tree, status.layout);
  return (
    <Page title={text.welcome}>
      {status?.loss != null && <DeletedFilesNotice loss={status.loss} />}
      <Today />
      <InboxSummary />
      {isNew && <GettingStarted />}
      <RecentChanges />
      {!isNew && (
        <>
          <ActivityHeatmap />
          <Projects />
          <VaultStats />
        </>
      )}
    </Page>
  );
}
