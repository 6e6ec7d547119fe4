import { useEffect, useMemo, useState } from 'react';
import type { Element } from './hast.ts';
import type { HighlightedToken } from './highlight-code.ts';

/** A line of code; `number` is null if lines are not numbered. */
type Row = { number: number | null; text: string };

/** The language of a code block, for example `mermaid`. */
export function languageOf(pre: Element): string | undefined {
  const [code] = pre.children;
  const names = code?.type === 'element' ? code.properties['className'] : undefined;
  const [name] = Array.isArray(names) ? names : [];
  return typeof name === 'string' ? name.replace(/^language-/, '') : undefined;
}

/** The text of a code block without line numbers. */
export function codeText(pre: Element): string {
  return rowsOf(pre)
    .map(({ text }) => text)
    .join('');
}

/** A code block with line numbers. It is highlighted once its language is loaded. */
export function CodeBlock({ pre, isContinued = false }: { pre: Element; isContinued?: boolean }) {
  const rows = useMemo(() => rowsOf(pre), [pre]);
  const language = languageOf(pre);
  const highlighted = useHighlighting(rows, language);
  // Scrollable content must be focusable by keyboard.
  return (
    <pre
      tabIndex={0}
      data-language={isContinued ? undefined : language}
      data-continued={isContinued ? '' : undefined}
    >
      <code>
        {rows.map(({ number, text }, index) => (
          <span key={index}>
            {number !== null && (
              <a className="ln" data-line={number} href={`#L${number}`} tabIndex={-1} aria-hidden="true" />
            )}
            {highlighted?.[index]?.map((part, at) =>
              part.name === '' ? (
                part.text
              ) : (
                <span key={at} className={part.name}>
                  {part.text}
                </span>
              ),
            ) ?? text}
          </span>
        ))}
      </code>
    </pre>
  );
}

function rowsOf(pre: Element): Row[] {
  const [code] = pre.children;
  const rows: Row[] = [];
  let number: number | null = null;
  for (const child of code?.type === 'element' ? code.children : []) {
    if (child.type === 'element') number = Number(child.properties['dataLine']);
    else if (child.type === 'text') {
      rows.push({ number, text: child.value });
      number = null;
    }
  }
  return rows;
}

function useHighlighting(rows: readonly Row[], language: string | undefined): HighlightedToken[][] | null {
  const [highlighted, setHighlighted] = useState<HighlightedToken[][] | null>(null);
  useEffect(() => {
    let isCurrent = true;
    setHighlighted(null);
    const highlight = async (): Promise<void> => {
      if (language === undefined) return;
      const { highlightCode } = await import('./highlight-code.ts');
      const lines = await highlightCode(
        rows.map(({ text }) => text),
        language,
      );
      if (isCurrent) setHighlighted(lines);
    };
    // The code is readable without highlighting.
    highlight().catch(() => undefined);
    return () => void (isCurrent = false);
  }, [rows, language]);
  return highlighted;
}
