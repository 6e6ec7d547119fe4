import { useEffect, useMemo, useState } from 'react';
import type { Element } from './hast.ts';
import type { ColouredPart } from './colour-code.ts';

/** One line of code: its number, where it has one, and its text. */
type Row = { number: number | null; text: string };

/** What stands behind the fence, as in ```mermaid. */
export function languageOf(pre: Element): string | undefined {
  const [code] = pre.children;
  const names = code?.type === 'element' ? code.properties['className'] : undefined;
  const [name] = Array.isArray(names) ? names : [];
  return typeof name === 'string' ? name.replace(/^language-/, '') : undefined;
}

/** The text of code, without the numbers of its lines. */
export function codeIn(pre: Element): string {
  return rowsOf(pre)
    .map(({ text }) => text)
    .join('');
}

/** Code with the numbers of its lines; its colours come once its language is loaded. */
export function CodeBlock({ pre, isContinued = false }: { pre: Element; isContinued?: boolean }) {
  const rows = useMemo(() => rowsOf(pre), [pre]);
  const language = languageOf(pre);
  const colours = useColours(rows, language);
  // What scrolls must be reached by the keyboard.
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
            {colours?.[index]?.map((part, at) =>
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

function useColours(rows: readonly Row[], language: string | undefined): ColouredPart[][] | null {
  const [colours, setColours] = useState<ColouredPart[][] | null>(null);
  useEffect(() => {
    let isWanted = true;
    setColours(null);
    const colour = async (): Promise<void> => {
      if (language === undefined) return;
      const { colourCode } = await import('./colour-code.ts');
      const lines = await colourCode(
        rows.map(({ text }) => text),
        language,
      );
      if (isWanted) setColours(lines);
    };
    // Without colours it can be read as well.
    colour().catch(() => undefined);
    return () => void (isWanted = false);
  }, [rows, language]);
  return colours;
}
