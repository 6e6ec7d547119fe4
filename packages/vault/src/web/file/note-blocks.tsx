import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { memo, startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import type { NoteBlock } from './render-blocks.ts';
import { noteComponents } from './note-components.tsx';
import type { NoteContext } from './note-context.ts';

type Props = NoteContext & {
  blocks: readonly NoteBlock[];
  /** The index of a block that must be rendered immediately, because the page scrolls to it. */
  targetIndex?: number;
};

/** Up to this number of blocks, the whole note is rendered immediately, which keeps scroll positions exact. */
const eagerBlockLimit = 40;
/** How many blocks of a longer note are rendered at first, to fill the screen. */
const initialBlocks = 4;
/** The estimated height of a line that is not rendered yet. */
const estimatedLinePx = 28;

/**
 * Renders a note block by block. In a long note, blocks are rendered when they come near the viewport, and the others when the
 * browser is idle, so that the whole note can be searched in the page. The browser lays out only visible blocks.
 */
export function NoteBlocks({ blocks, path, ancestors, inner, onToggleTask, targetIndex = -1 }: Props) {
  const parts = useMemo(
    () => noteComponents({ path, ancestors, inner, onToggleTask }),
    [path, ancestors, inner, onToggleTask],
  );
  if (blocks.length <= eagerBlockLimit)
    return blocks.map((block, index) => <RenderedBlock key={index} block={block} parts={parts} />);
  return blocks.map((block, index) => (
    <DeferredBlock
      key={index}
      block={block}
      index={index}
      parts={parts}
      isForced={index < initialBlocks || Math.abs(index - targetIndex) <= 1}
    />
  ));
}

type BlockProps = { block: NoteBlock; parts: ReturnType<typeof noteComponents> };

const RenderedBlock = memo(function RenderedBlock({ block, parts }: BlockProps) {
  return useMemo(
    () =>
      toJsxRuntime(
        { type: 'root', children: block.children },
        { Fragment, jsx, jsxs, components: parts, ignoreInvalidStyle: true, passKeys: true, passNode: true },
      ),
    [block, parts],
  );
});

const DeferredBlock = memo(function DeferredBlock({
  block,
  index,
  parts,
  isForced,
}: BlockProps & { index: number; isForced: boolean }) {
  const container = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(isForced);
  const isRendered = isNear || isForced;
  useEffect(() => {
    const element = container.current;
    if (element === null || isRendered) return;
    // A transition keeps the page responsive while the block renders.
    const render = (): void => startTransition(() => setIsNear(true));
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && render(),
      { root: element.closest('main'), rootMargin: '1200px 0px' },
    );
    observer.observe(element);
    const stop = scheduleIdle(render, index);
    // The printed note is complete.
    const renderNow = (): void => flushSync(() => setIsNear(true));
    window.addEventListener('beforeprint', renderNow);
    return () => {
      window.removeEventListener('beforeprint', renderNow);
      observer.disconnect();
      stop();
    };
  }, [index, isRendered]);
  const height = `${block.lines * estimatedLinePx}px`;
  return (
    <div
      ref={container}
      className="chunk"
      data-from={block.line}
      style={isRendered ? { containIntrinsicSize: `auto ${height}` } : { height }}
    >
      {isRendered && <RenderedBlock block={block} parts={parts} />}
    </div>
  );
});

/** Renders a block when the browser is idle, later for blocks further down. Returns a function that cancels it. */
function scheduleIdle(render: () => void, index: number): () => void {
  let idle = 0;
  const timer = setTimeout(
    () => {
      if ('requestIdleCallback' in window) idle = requestIdleCallback(render);
      else render();
    },
    500 + index * 20,
  );
  return () => {
    clearTimeout(timer);
    if (idle !== 0) cancelIdleCallback(idle);
  };
}
