import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { KeyRound, WifiOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStore } from '../live/store.ts';
import { useText } from '../text/use-text.ts';
import { CopyableCommand } from '../ui/copyable-command.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { useServices } from './services.ts';
import { isWriting } from './unsaved-words.ts';

const SignInOptions = lazyComponent(() =>
  import('./sign-in-options.tsx').then(({ SignInOptions: part }) => part),
);

/** Says that the server is unreachable or that the browser is signed out, and what to do. */
export function ConnectionBanner() {
  const { connection, toasts } = useServices();
  useReloadOnNewVersion();
  const text = useText().connection;
  const state = useStore(connection);
  const isLink = useLocation({ select: ({ pathname }) => pathname === '/open' });
  const before = useRef(state);
  useEffect(() => {
    if (state === 'live' && (before.current === 'offline' || before.current === 'signed-out'))
      toasts.show(text.back);
    before.current = state;
  }, [state, text, toasts]);

  if (state === 'offline')
    return (
      <div role="alert" className="flex items-start gap-3 bg-warn-soft px-4 py-2 text-small text-warn">
        <WifiOff aria-hidden className="mt-0.5 size-4 shrink-0" />
        <p>
          <span className="font-semibold">{text.offline}.</span>{' '}
          <span className="text-ink">{text.offlineHint}</span>
        </p>
      </div>
    );
  if (state === 'signed-out')
    return (
      <div
        role="alert"
        className="mx-auto flex w-full max-w-md flex-col items-center gap-4 px-6 py-24 text-center"
      >
        <span className="grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
          <KeyRound aria-hidden className="size-6" />
        </span>
        <h1 className="text-large font-semibold text-balance">{isLink ? text.linkUsed : text.signedOut}</h1>
        <p className="text-small text-soft text-balance">{text.signedOutHint}</p>
        <div className="w-full max-w-64 text-left">
          <CopyableCommand>keepsake open</CopyableCommand>
        </div>
        <SignInOptions />
      </div>
    );
  return null;
}

/** How often the page tries to reload while the user is writing, in milliseconds. */
const reloadRetryMs = 1_000;

/** Reloads the page after an upgrade, because its old assets are gone, as soon as nothing is being written. */
function useReloadOnNewVersion(): void {
  const { queries, composer, drafts } = useServices();
  const version = useQuery(queries.status).data?.version;
  const first = useRef(version);
  useEffect(() => {
    first.current ??= version;
    if (version === first.current) return;
    const reload = (): void => {
      if (!isWriting({ composer, drafts })) location.reload();
    };
    reload();
    const timer = setInterval(reload, reloadRetryMs);
    return () => clearInterval(timer);
  }, [version, composer, drafts]);
}
