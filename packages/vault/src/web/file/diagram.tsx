import { useEffect, useRef, useState } from 'react';
import { useText } from '../text/use-text.ts';
import { CodeBlock, codeIn } from './code-block.tsx';
import { drawDiagram } from './draw-diagram.ts';
import type { Element as HastElement } from './hast.ts';

/** What a ```mermaid block draws, and below it, folded, what was written; that alone where it cannot be drawn. */
export function Diagram({ pre }: { pre: HastElement }) {
  const text = useText().file;
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'drawing' | 'drawn' | 'failed'>('drawing');
  const source = codeIn(pre);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let isWanted = true;
    let sheet: CSSStyleSheet | null = null;
    const forget = (): void =>
      void (document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet));
    const draw = async (): Promise<void> => {
      ({ sheet } = await drawDiagram(source, element));
      if (isWanted) setState('drawn');
      else forget();
    };
    draw().catch(() => isWanted && setState('failed'));
    return () => {
      isWanted = false;
      forget();
    };
  }, [source]);
  return (
    <>
      <div
        ref={place}
        className={state === 'failed' ? 'hidden' : 'diagram'}
        tabIndex={0}
        role="group"
        aria-busy={state === 'drawing'}
      />
      {state === 'drawn' ? (
        <details className="source">
          <summary>{text.source}</summary>
          <CodeBlock pre={pre} />
        </details>
      ) : (
        <CodeBlock pre={pre} />
      )}
    </>
  );
}
