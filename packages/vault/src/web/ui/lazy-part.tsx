import { useEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

type Options = {
  /** Shown until it is there. */
  waiting?: ComponentType;
  /** Whether it lies above everything else, and not where it stands. */
  isAbove?: boolean;
};

/**
 * A part of the interface that is loaded when it is first needed. One that cannot be loaded says so in its place, and is tried
 * again when the server is back; nothing around it breaks. For what lies above others, `onClose` takes that away.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting: Waiting, isAbove = false }: Options = {},
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
    useEffect(() => {
      if (isLive) setState((present) => (present === 'failed' ? 'loading' : present));
    }, [isLive]);
    const retry = (): void => {
      get().then(
        () => setState('there'),
        // The server is there and this is not: after an upgrade the page names other files.
        () => isLive && location.reload(),
      );
    };
    const Component = loaded;
    const { onClose }: { onClose?: () => void } = props;
    if (state === 'failed') return <Failed isAbove={isAbove} onRetry={retry} onClose={onClose} />;
    if (Component === null) return Waiting === undefined ? null : <Waiting />;
    return <Component {...props} />;
  }
  // By this name the router loads a page before it is shown.
  return Object.assign(Part, { preload: () => get().catch(() => undefined) });
}

type FailedProps = { isAbove: boolean; onRetry: () => void; onClose: (() => void) | undefined };

function Failed({ isAbove, onRetry, onClose }: FailedProps) {
  const { shell } = useText();
  const place = isAbove ? 'fixed inset-x-4 top-4 z-50 mx-auto max-w-md shadow-raised' : 'm-4';
  return (
    <div className={`rounded-medium ${place}`}>
      <Notice
        tone="warn"
        title={shell.notLoaded}
        actions={
          <>
            <Button onClick={onRetry}>{shell.reload}</Button>
            {isAbove && onClose !== undefined && <Button onClick={onClose}>{shell.close}</Button>}
          </>
        }
      />
    </div>
  );
}
