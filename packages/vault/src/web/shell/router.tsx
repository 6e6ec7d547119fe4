import { createRootRoute, createRoute, createRouter, Navigate } from '@tanstack/react-router';
import { vaultPrefix } from '../api/vault-prefix.ts';
import { parseActivitySearch } from '../activity/search-params.ts';
import { parseCalendarSearch } from '../calendar/calendar-search.ts';
import { parseTaskSearch } from '../tasks/task-search.ts';
import { parseSearchParams } from '../search/search-params.ts';
import { HomePage } from '../home/home-page.tsx';
import { useStore } from '../live/store.ts';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { Layout } from './layout.tsx';
import { ErrorPage, NotFoundPage } from './not-found-page.tsx';
import { useServices } from './services.ts';

const root = createRootRoute({
  component: Layout,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
});
const within = { getParentRoute: () => root };

const home = createRoute({ ...within, path: '/', component: HomePage });
const file = createRoute({
  ...within,
  path: '/file/$',
  component: lazyComponent(() => import('../file/file-page.tsx').then(({ FilePage }) => FilePage)),
});
const activity = createRoute({
  ...within,
  path: '/activity',
  validateSearch: parseActivitySearch,
  component: lazyComponent(() =>
    import('../activity/activity-page.tsx').then(({ ActivityPage }) => ActivityPage),
  ),
});
const update = createRoute({
  ...within,
  path: '/activity/$id',
  component: lazyComponent(() => import('../activity/update-page.tsx').then(({ UpdatePage }) => UpdatePage)),
});
const answers = createRoute({
  ...within,
  path: '/answers',
  component: lazyComponent(() =>
    import('../answers/answers-page.tsx').then(({ AnswersPage }) => AnswersPage),
  ),
});
const answer = createRoute({
  ...within,
  path: '/answers/$id',
  component: lazyComponent(() => import('../answers/answer-page.tsx').then(({ AnswerPage }) => AnswerPage)),
});
const inbox = createRoute({
  ...within,
  path: '/inbox',
  component: lazyComponent(() => import('../inbox/inbox-page.tsx').then(({ InboxPage }) => InboxPage)),
});
const tasks = createRoute({
  ...within,
  path: '/tasks',
  validateSearch: parseTaskSearch,
  component: lazyComponent(() => import('../tasks/tasks-page.tsx').then(({ TasksPage }) => TasksPage)),
});
const calendar = createRoute({
  ...within,
  path: '/calendar',
  validateSearch: parseCalendarSearch,
  component: lazyComponent(() =>
    import('../calendar/calendar-page.tsx').then(({ CalendarPage }) => CalendarPage),
  ),
});
const tags = createRoute({
  ...within,
  path: '/tags',
  validateSearch: ({ tag }: Record<string, unknown>): { tag?: string } =>
    typeof tag === 'string' && tag !== '' ? { tag } : {},
  component: lazyComponent(() => import('../tags/tags-page.tsx').then(({ TagsPage }) => TagsPage)),
});
const settings = createRoute({
  ...within,
  path: '/settings',
  component: lazyComponent(() =>
    import('../settings/settings-page.tsx').then(({ SettingsPage }) => SettingsPage),
  ),
});
/** Receives content that another app has shared. */
const share = createRoute({
  ...within,
  path: '/share',
  component: lazyComponent(() => import('../composer/share-page.tsx').then(({ SharePage }) => SharePage)),
});
/** Asks whether a remote app may access the vault. */
const consent = createRoute({
  ...within,
  path: '/consent/$id',
  component: lazyComponent(() =>
    import('../consent/consent-page.tsx').then(({ ConsentPage }) => ConsentPage),
  ),
});
/**
 * Opened with an invalid sign-in link. A signed-in user continues to the home page; for others, the banner explains how
 * to sign in.
 */
const open = createRoute({ ...within, path: '/open', component: SignInLinkPage });
const search = createRoute({
  ...within,
  path: '/search',
  validateSearch: parseSearchParams,
  component: lazyComponent(() => import('../search/search-page.tsx').then(({ SearchPage }) => SearchPage)),
});

/** Resolves a wikilink that matches several notes. */
const which = createRoute({
  ...within,
  path: '/which',
  validateSearch: ({ link, from }: Record<string, unknown>) => ({
    // The router parses `2026` as a number.
    link: typeof link === 'string' || typeof link === 'number' ? String(link) : '',
    from: typeof from === 'string' ? from : '',
  }),
  component: lazyComponent(() => import('../file/which-page.tsx').then(({ WhichPage }) => WhichPage)),
});

function SignInLinkPage() {
  const isSignedIn = useStore(useServices().connection) === 'live';
  return isSignedIn && <Navigate to="/" replace />;
}

export function createAppRouter() {
  return createRouter({
    routeTree: root.addChildren([
      home,
      file,
      activity,
      update,
      answers,
      answer,
      inbox,
      settings,
      tasks,
      calendar,
      tags,
      open,
      share,
      consent,
      search,
      which,
    ]),
    basepath: vaultPrefix(),
    defaultPreload: 'intent',
    // An error in one page leaves the layout intact.
    defaultErrorComponent: ErrorPage,
    scrollRestoration: false,
  });
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Opens a new note in the editor. */
    isNew?: boolean;
  }
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
