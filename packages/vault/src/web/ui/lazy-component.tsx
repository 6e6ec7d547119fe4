import { useEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

type Options = {
  /** Shown while the component loads. */
  fallback?: ComponentType;
  /** Whether the component is an overlay; a loading error is then shown above the page. */
  isOverlay?: boolean;
};

/**
 * A component that is loaded when it is first rendered. If loading fails, a notice is shown in its place, and it is loaded again
 * when the connection is back. The notice of an overlay can be closed with the `onClose` prop.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { fallback: Fallback, isOverlay = false }: Options = {},
) {
  let loaded: ComponentType<Props> | null = null;
  const get = async (): Promise<void> => {
    loaded ??= await load();
  };
  function Part(props: Props): ReactNode {
    const isLive = useStore(useServices().connection) === 'live';
    const [state, setState] = useState<'loading' | 'there' | 'failed'>(loaded === null ? 'loading' : 'there');
    useEffect(() => {
      if (state === 'loading')
        get().then(
          () => setState('there'),
          () => setState('failed'),
        );
    }, [state]);
    const { onClose }: { onClose?: () => void } = props;
    useEffect(() => {
      if (!isLive || state !== 'failed') return;
      // An overlay that opened by itself would cover what the user is doing by now.
      if (isOverlay && onClose !== undefined) onClose();
      else setState('loading');
    }, [isLive]);
    const retry = (): void => {
      get().then(
        () => setState('there'),
        // The server responds, but this file is missing: after an upgrade, assets have other names.
        () => isLive && location.reload(),
      );
    };
    const Component = loaded;
    if (state === 'failed') return <Failed isOverlay={isOverlay} onRetry={retry} onClose={onClose} />;
    if (Component === null) return Fallback === undefined ? null : <Fallback />;
    return <Component {...props} />;
  }
  // The router calls `preload` before it shows a page.
  return Object.assign(Part, { preload: () => get().catch(() => undefined) });
}

type FailedProps = { isOverlay: boolean; onRetry: () => void; onClose: (() => void) | undefined };

function Failed({ isOverlay, onRetry, onClose }: FailedProps) {
  const { shell } = useText();
  useEffect(() => {
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onClose?.();
    };
    window.addEventListener('keydown', close);
    return () => window.removeEventListener('keydown', close);
  }, [onClose]);
  // Leaves the banner visible, which says that the server cannot be reached.
  const positionClass = isOverlay ? 'fixed inset-x-4 top-24 z-50 mx-auto max-w-md shadow-raised' : 'm-4';
  return (
    <div className={`rounded-medium ${positionClass}`}>
      <Notice
        tone="warn"
        title={shell.notLoaded}
        actions={
          <>
            <Button onClick={onRetry}>{shell.reload}</Button>
            {isOverlay && onClose !== undefined && <Button onClick={onClose}>{shell.close}</Button>}
          </>
        }
      />
    </div>
  );
}
