import { useEffect, useRef } from 'react';
import { mathAttribute, renderMathML } from './formula-markup.ts';

export function Formula({ source, isApart }: { source: string; isApart: boolean }) {
  const container = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const markup = renderMathML(source, isApart);
    container.current?.replaceChildren((markup === null ? null : parseMathML(markup)) ?? source);
  }, [source, isApart]);
  return <span ref={container} className={isApart ? 'formula apart' : 'formula'} />;
}

/** Parses markup and removes everything that is not MathML. Null if it contains no formula. */
function parseMathML(markup: string): Element | null {
  const math = new DOMParser().parseFromString(markup, 'text/html').querySelector('math');
  if (math === null) return null;
  for (const element of [math, ...math.querySelectorAll('*')]) {
    if (element.namespaceURI !== 'http://www.w3.org/1998/Math/MathML') element.remove();
    for (const { name } of Array.from(element.attributes))
      if (!mathAttribute.test(name)) element.removeAttribute(name);
  }
  return document.adoptNode(math);
}
