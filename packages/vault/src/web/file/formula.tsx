import { ParseError, renderToString } from 'katex';
import { useEffect, useRef } from 'react';

/** MathML, which the browser sets itself: it needs neither styles nor fonts of its own. Nothing in a formula can lead out of it. */
function toMathML(source: string, isApart: boolean): string {
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

/** Longer ones are shown as they are written. */
const longest = 5_000;

export function Formula({ source, isApart }: { source: string; isApart: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    place.current?.replaceChildren(draw(source, isApart) ?? source);
  }, [source, isApart]);
  return <span ref={place} className={isApart ? 'formula apart' : 'formula'} />;
}

/** Null for what is too long, or no formula. */
function draw(source: string, isApart: boolean): Element | null {
  if (source.length > longest) return null;
  try {
    return readMath(toMathML(source, isApart));
  } catch (error) {
    if (error instanceof ParseError || error instanceof RangeError) return null;
    throw error;
  }
}

const attributes =
  /^(?:accent|accentunder|columnalign|columnlines|columnspacing|columnspan|depth|display|encoding|fence|form|frame|height|largeop|linebreak|linethickness|lspace|mathbackground|mathcolor|mathsize|mathvariant|maxsize|minsize|movablelimits|notation|rowalign|rowlines|rowspacing|rowspan|rspace|scriptlevel|separator|stretchy|symmetric|voffset|width)$/;

/** Only elements and attributes of MathML, whatever was made of the formula. Null when there is none. */
function readMath(markup: string): Element | null {
  const math = new DOMParser().parseFromString(markup, 'text/html').querySelector('math');
  if (math === null) return null;
  for (const element of [math, ...math.querySelectorAll('*')]) {
    if (element.namespaceURI !== 'http://www.w3.org/1998/Math/MathML') element.remove();
    for (const { name } of Array.from(element.attributes))
      if (!attributes.test(name)) element.removeAttribute(name);
  }
  return document.adoptNode(math);
}
