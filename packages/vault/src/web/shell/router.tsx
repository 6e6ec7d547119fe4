import { createRootRoute, createRoute, createRouter, Navigate } from '@tanstack/react-router';
import { place } from '../api/place.ts';
import { readSearch } from '../activity/search-params.ts';
import { parseSearchParams } from '../search/search-params.ts';
import { HomePage } from '../home/home-page.tsx';
import { useStore } from '../live/store.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Layout } from './layout.tsx';
import { BrokenPage, NotFoundPage } from './not-found-page.tsx';
import { useServices } from './services.ts';

const root = createRootRoute({
  component: Layout,
  notFoundComponent: NotFoundPage,
  errorComponent: BrokenPage,
});
const within = { getParentRoute: () => root };

const home = createRoute({ ...within, path: '/', component: HomePage });
const file = createRoute({
  ...within,
  path: '/file/$',
  component: lazyPart(() => import('../file/file-page.tsx').then(({ FilePage }) => FilePage)),
});
const activity = createRoute({
  ...within,
  path: '/activity',
  validateSearch: readSearch,
  component: lazyPart(() => import('../activity/activity-page.tsx').then(({ ActivityPage }) => ActivityPage)),
});
const update = createRoute({
  ...within,
  path: '/activity/$id',
  component: lazyPart(() => import('../activity/update-page.tsx').then(({ UpdatePage }) => UpdatePage)),
});
const answers = createRoute({
  ...within,
  path: '/answers',
  component: lazyPart(() => import('../answers/answers-page.tsx').then(({ AnswersPage }) => AnswersPage)),
});
const answer = createRoute({
  ...within,
  path: '/answers/$id',
  component: lazyPart(() => import('../answers/answer-page.tsx').then(({ AnswerPage }) => AnswerPage)),
});
const inbox = createRoute({
  ...within,
  path: '/inbox',
  component: lazyPart(() => import('../inbox/inbox-page.tsx').then(({ InboxPage }) => InboxPage)),
});
const settings = createRoute({
  ...within,
  path: '/settings',
  component: lazyPart(() => import('../settings/settings-page.tsx').then(({ SettingsPage }) => SettingsPage)),
});
/** What another app has shared with this one. */
const share = createRoute({
  ...within,
  path: '/share',
  component: lazyPart(() => import('../composer/share-page.tsx').then(({ SharePage }) => SharePage)),
});
/** A program elsewhere wants in. */
const consent = createRoute({
  ...within,
  path: '/consent/$id',
  component: lazyPart(() => import('../consent/consent-page.tsx').then(({ ConsentPage }) => ConsentPage)),
});
/** A sign-in link that did nothing: who is signed in goes on, others are told how to. */
const open = createRoute({ ...within, path: '/open', component: OpenedLink });
const search = createRoute({
  ...within,
  path: '/search',
  validateSearch: parseSearchParams,
  component: lazyPart(() => import('../search/search-page.tsx').then(({ SearchPage }) => SearchPage)),
});

/** A link by name that several notes could be meant by. */
const which = createRoute({
  ...within,
  path: '/which',
  validateSearch: ({ link, from }: Record<string, unknown>) => ({
    // The router reads 2026 as a number.
    link: typeof link === 'string' || typeof link === 'number' ? String(link) : '',
    from: typeof from === 'string' ? from : '',
  }),
  component: lazyPart(() => import('../file/which-page.tsx').then(({ WhichPage }) => WhichPage)),
});

function OpenedLink() {
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
      open,
      share,
      consent,
      search,
      which,
    ]),
    basepath: place(),
    defaultPreload: 'intent',
    // One view that breaks leaves the others, and what is around them.
    defaultErrorComponent: BrokenPage,
    scrollRestoration: false,
  });
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** A note that was just created is opened to be written. */
    isNew?: boolean;
  }
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
