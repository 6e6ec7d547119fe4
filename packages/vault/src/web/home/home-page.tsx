import { useQuery } from '@tanstack/react-query';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Page } from '../ui/page.tsx';
import { isFresh } from './is-fresh.ts';

const LossNotice = lazyPart(() => import('./loss-notice.tsx').then(({ LossNotice: part }) => part));
const Waiting = lazyPart(() => import('./waiting.tsx').then(({ Waiting: part }) => part));
const GuidedStart = lazyPart(() => import('./guided-start.tsx').then(({ GuidedStart: part }) => part));
const Latest = lazyPart(() => import('./latest.tsx').then(({ Latest: part }) => part));
const YearStrip = lazyPart(() => import('./year-strip.tsx').then(({ YearStrip: part }) => part));
const Projects = lazyPart(() => import('./projects.tsx').then(({ Projects: part }) => part));
const Holdings = lazyPart(() => import('./holdings.tsx').then(({ Holdings: part }) => part));

/** For a new vault, what to try; for one in use, what waits, what changed, and what there is. */
export function HomePage() {
  const { queries } = useServices();
  const text = useText().home;
  const { data: tree } = useQuery(queries.files.tree);
  const { data: status } = useQuery(queries.status);
  const isNew = tree !== undefined && status !== undefined && isFresh(tree, status.layout);
  return (
    <Page title={text.welcome}>
      {status?.loss != null && <LossNotice loss={status.loss} />}
      <Waiting />
      {isNew && <GuidedStart />}
      <Latest />
      {!isNew && (
        <>
          <YearStrip />
          <Projects />
          <Holdings />
        </>
      )}
    </Page>
  );
}
