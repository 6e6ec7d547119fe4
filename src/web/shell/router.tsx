import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { ActivityPage } from '../activity/activity-page.tsx';
import { HomePage } from '../home/home-page.tsx';
import { Layout } from './layout.tsx';
import { BrokenPage, NotFoundPage } from './not-found-page.tsx';

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
  component: lazyRouteComponent(() => import('../file/file-page.tsx'), 'FilePage'),
});
const activity = createRoute({ ...within, path: '/activity', component: ActivityPage });
const update = createRoute({
  ...within,
  path: '/activity/$id',
  component: lazyRouteComponent(() => import('../activity/update-page.tsx'), 'UpdatePage'),
});
const answer = createRoute({
  ...within,
  path: '/answer/$id',
  component: lazyRouteComponent(() => import('../activity/answer-page.tsx'), 'AnswerPage'),
});
const inbox = createRoute({
  ...within,
  path: '/inbox',
  component: lazyRouteComponent(() => import('../inbox/inbox-page.tsx'), 'InboxPage'),
});
const settings = createRoute({
  ...within,
  path: '/settings',
  component: lazyRouteComponent(() => import('../settings/settings-page.tsx'), 'SettingsPage'),
});
const components = createRoute({
  ...within,
  path: '/components',
  component: lazyRouteComponent(() => import('../ui/components-page.tsx'), 'ComponentsPage'),
});
const search = createRoute({
  ...within,
  path: '/search',
  beforeLoad: () => {
    throw redirect({ to: '/' });
  },
});

export function createAppRouter() {
  return createRouter({
    routeTree: root.addChildren([home, file, activity, update, answer, inbox, settings, components, search]),
    defaultPreload: 'intent',
    scrollRestoration: false,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
