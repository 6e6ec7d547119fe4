import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { memo, startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import type { Chunk } from './chunks.ts';
import { partsOfNote } from './parts-of-note.tsx';
import type { Around } from './around.ts';

type Props = Around & {
  chunks: readonly Chunk[];
  /** The one that is to be seen now, whether it is near or not. */
  wanted?: number;
};

/** So many are drawn at once, as they are: every place in them is where it was. */
const few = 40;
/** Of more, those that fill the first screen. */
const first = 4;
/** How high a line is, more or less, until it is drawn. */
const lineHeight = 28;

/**
 * A note, chunk by chunk. Of a long one, those that are near are drawn when they come near, the others when there is nothing
 * else to do, so that all of it can be searched in the page; the browser lays out only what is in sight.
 */
export function NoteChunks({ chunks, path, within, inner, onTask, wanted = -1 }: Props) {
  const parts = useMemo(() => partsOfNote({ path, within, inner, onTask }), [path, within, inner, onTask]);
  if (chunks.length <= few)
    return chunks.map((chunk, index) => <Drawn key={index} chunk={chunk} parts={parts} />);
  return chunks.map((chunk, index) => (
    <LaterDrawn
      key={index}
      chunk={chunk}
      index={index}
      parts={parts}
      isWanted={index < first || Math.abs(index - wanted) <= 1}
    />
  ));
}

type ChunkProps = { chunk: Chunk; parts: ReturnType<typeof partsOfNote> };

const Drawn = memo(function Drawn({ chunk, parts }: ChunkProps) {
  return useMemo(
    () =>
      toJsxRuntime(
        { type: 'root', children: chunk.children },
        { Fragment, jsx, jsxs, components: parts, ignoreInvalidStyle: true, passKeys: true, passNode: true },
      ),
    [chunk, parts],
  );
});

const LaterDrawn = memo(function LaterDrawn({
  chunk,
  index,
  parts,
  isWanted,
}: ChunkProps & { index: number; isWanted: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(isWanted);
  const isDrawn = isNear || isWanted;
  useEffect(() => {
    const element = place.current;
    if (element === null || isDrawn) return;
    // In small pieces, between which the page answers.
    const draw = (): void => startTransition(() => setIsNear(true));
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && draw(),
      { root: element.closest('main'), rootMargin: '1200px 0px' },
    );
    observer.observe(element);
    const stop = whenIdle(draw, index);
    return () => {
      observer.disconnect();
      stop();
    };
  }, [index, isDrawn]);
  const height = `${chunk.lines * lineHeight}px`;
  return (
    <div
      ref={place}
      className="chunk"
      data-from={chunk.line}
      style={isDrawn ? { containIntrinsicSize: `auto ${height}` } : { height }}
    >
      {isDrawn && <Drawn chunk={chunk} parts={parts} />}
    </div>
  );
});

/** One after the other, from the top. */
function whenIdle(draw: () => void, index: number): () => void {
  let idle = 0;
  const timer = setTimeout(
    () => {
      if ('requestIdleCallback' in window) idle = requestIdleCallback(draw);
      else draw();
    },
    500 + index * 20,
  );
  return () => {
    clearTimeout(timer);
    if (idle !== 0) cancelIdleCallback(idle);
  };
}
