import { ParseError, renderToString } from 'katex';
import { useEffect, useRef } from 'react';

/** Renders MathML, which the browser lays out without extra styles or fonts. `trust: false` disables links and external content. */
function renderMathML(source: string, isApart: boolean): string {
  return renderToString(source, {
    displayMode: isApart,
    output: 'mathml',
    throwOnError: true,
    strict: 'ignore',
    trust: false,
    maxExpand: 1_000,
    maxSize: 50,
  });
}

/** The source of a longer formula is shown instead. */
const maxFormulaCharacters = 5_000;

export function Formula({ source, isApart }: { source: string; isApart: boolean }) {
  const container = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    container.current?.replaceChildren(renderFormula(source, isApart) ?? source);
  }, [source, isApart]);
  return <span ref={container} className={isApart ? 'formula apart' : 'formula'} />;
}

/** Null if the source is too long or invalid. */
function renderFormula(source: string, isApart: boolean): Element | null {
  if (source.length > maxFormulaCharacters) return null;
  try {
    return parseMathML(renderMathML(source, isApart));
  } catch (error) {
    if (error instanceof ParseError || error instanceof RangeError) return null;
    throw error;
  }
}

const attributes =
  /^(?:accent|accentunder|columnalign|columnlines|columnspacing|columnspan|depth|display|encoding|fence|form|frame|height|largeop|linebreak|linethickness|lspace|mathbackground|mathcolor|mathsize|mathvariant|maxsize|minsize|movablelimits|notation|rowalign|rowlines|rowspacing|rowspan|rspace|scriptlevel|separator|stretchy|symmetric|voffset|width)$/;

/** Parses markup and removes everything that is not MathML. Null if it contains no formula. */
function parseMathML(markup: string): Element | null {
  const math = new DOMParser().parseFromString(markup, 'text/html').querySelector('math');
  if (math === null) return null;
  for (const element of [math, ...math.querySelectorAll('*')]) {
    if (element.namespaceURI !== 'http://www.w3.org/1998/Math/MathML') element.remove();
    for (const { name } of Array.from(element.attributes))
      if (!attributes.test(name)) element.removeAttribute(name);
  }
  return document.adoptNode(math);
}
