import { useEffect, useRef, useState } from 'react';
import { useIsDark } from '../shell/use-is-dark.ts';
import { useText } from '../text/use-text.ts';
import { CodeBlock, codeText } from './code-block.tsx';
import { renderDiagram } from './render-diagram.ts';
import type { Element as HastElement } from './hast.ts';

/** The diagram of a ```mermaid block, with its source collapsed below it. Only the source is shown if it cannot be rendered. */
export function Diagram({ pre }: { pre: HastElement }) {
  const text = useText().file;
  const container = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'pending' | 'rendered' | 'failed'>('pending');
  const source = codeText(pre);
  const isDark = useIsDark();
  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    let isCurrent = true;
    let sheet: CSSStyleSheet | null = null;
    const removeSheet = (): void =>
      void (document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet));
    const render = async (): Promise<void> => {
      ({ sheet } = await renderDiagram(source, element, isDark));
      if (isCurrent) setState('rendered');
      else removeSheet();
    };
    render().catch(() => isCurrent && setState('failed'));
    return () => {
      isCurrent = false;
      removeSheet();
    };
  }, [source, isDark]);
  return (
    <>
      <div
        ref={container}
        className={state === 'failed' ? 'hidden' : 'diagram'}
        tabIndex={0}
        role="group"
        aria-busy={state === 'pending'}
      />
      {state === 'rendered' ? (
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
