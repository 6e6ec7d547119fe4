import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Inbox, Menu, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ComposerPanel } from '../composer/composer-panel.tsx';
import { useStore } from '../live/store.ts';
import { useDocumentLanguage, useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { ToastList } from '../ui/toast-list.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { Overlays } from './overlays.tsx';
import { useServices } from './services.ts';
import { Sidebar } from './sidebar.tsx';
import { useMemberTexts, useViewer } from './use-viewer.ts';
import { useScrollRestoration } from './use-scroll-restoration.ts';
import { useGlobalShortcuts } from './use-global-shortcuts.ts';

const MenuSheet = lazyComponent(() => import('./menu-sheet.tsx').then(({ MenuSheet: part }) => part), {
  isOverlay: true,
});

const DemoPlayer = lazyComponent(
  () => import('../demo/demo-player.tsx').then(({ DemoPlayer: part }) => part),
  {
    isOverlay: true,
  },
);

/** The frame of every page: the sidebar on the left, the composer at the bottom. */
export function Layout() {
  const { isPaletteOpen, queries, connection, pageTitle } = useServices();
  const { shell } = useText();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const path = useLocation({ select: ({ pathname }) => pathname });
  const main = useRef<HTMLElement>(null);
  const { data: inbox } = useQuery(queries.inbox);
  const { canWrite } = useViewer();
  // Readers cannot answer anything, so nothing waits for them.
  const waiting = canWrite ? (inbox?.waiting.length ?? 0) : 0;
  const isSignedOut = useStore(connection) === 'signed-out';
  useDocumentLanguage();
  useMemberTexts();
  useGlobalShortcuts();
  useEffect(() => {
    setIsMenuOpen(false);
  }, [path]);
  useScrollRestoration(main);
  const title = useStore(pageTitle);
  useEffect(() => {
    const name = title === '' ? 'Keepsake' : `${title} · Keepsake`;
    document.title = waiting > 0 ? `(${waiting}) ${name}` : name;
  }, [waiting, title]);

  return (
    <div className="flex h-full">
      <a
        data-chrome
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-medium bg-accent px-3 py-2 text-small text-on-accent focus:translate-y-0"
      >
        {shell.skip}
      </a>
      {!isSignedOut && (
        <nav
          aria-label={shell.navigation}
          className="hidden w-72 shrink-0 flex-col border-r border-line bg-sunken wide:flex"
        >
          <Sidebar />
        </nav>
      )}
      {isMenuOpen && <MenuSheet onClose={() => setIsMenuOpen(false)} />}
      <div className="flex min-w-0 flex-1 flex-col">
        <header
          data-chrome
          className="flex h-12 shrink-0 items-center gap-1 border-b border-line bg-sunken px-2 wide:hidden"
        >
          <IconButton label={shell.menu} onClick={() => setIsMenuOpen(true)}>
            <Menu aria-hidden className="size-5" />
          </IconButton>
          <Link to="/" className="px-1 font-semibold">
            Keepsake
          </Link>
          <span className="flex-1" />
          <Link
            to="/inbox"
            aria-label={`${shell.inbox}: ${shell.waiting(waiting)}`}
            className="relative grid size-8 place-items-center rounded-medium text-soft hover:bg-hover"
          >
            <Inbox aria-hidden className="size-5" />
            {waiting > 0 && (
              <span className="absolute -top-0.5 -right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 text-[0.625rem] leading-none font-semibold text-on-accent">
                {waiting}
              </span>
            )}
          </Link>
          <IconButton label={shell.search} onClick={() => isPaletteOpen.set(true)}>
            <Search aria-hidden className="size-5" />
          </IconButton>
        </header>
        <div data-chrome>
          <ConnectionBanner />
        </div>
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          aria-label={shell.content}
          className="min-h-0 flex-1 overflow-y-auto wide:[scrollbar-gutter:stable]"
        >
          {!isSignedOut && <Outlet />}
        </main>
        <div data-chrome className="relative">
          <ToastList />
        </div>
        {!isSignedOut && !hasQuestionField(path) && (
          <div data-chrome className="shrink-0">
            <ComposerPanel />
          </div>
        )}
      </div>
      <Demonstration />
      <Overlays />
    </div>
  );
}

function Demonstration() {
  const parts = useStore(useServices().demo);
  return parts === null ? null : <DemoPlayer parts={parts} />;
}

/** The page of an answer has a field for follow-up questions instead of the composer. */
function hasQuestionField(path: string): boolean {
  return /^\/answers\/./.test(path);
}
