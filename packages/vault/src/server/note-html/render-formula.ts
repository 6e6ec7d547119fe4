import { ParseError, renderToString } from 'katex';
import rehypeRaw from 'rehype-raw';
import { unified } from 'unified';
import type { Element, ElementContent, Root } from '../../web/index.ts';

/** The source of a longer formula is shown instead. */
const maxFormulaCharacters = 5_000;

/** The MathML of a formula, as the web interface draws it; null if the source is too long or invalid. */
export function renderFormula(source: string, isApart: boolean): Element | null {
  if (source.length > maxFormulaCharacters) return null;
  try {
    const markup = renderToString(source, {
      displayMode: isApart,
      output: 'mathml',
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: 1_000,
      maxSize: 50,
    });
    const raw = { type: 'root', children: [{ type: 'raw', value: markup }] };
    return findMath(
      unified()
        .use(rehypeRaw)
        .runSync(raw as never) as unknown as Root,
    );
  } catch (error) {
    if (error instanceof ParseError || error instanceof RangeError) return null;
    throw error;
  }
}

const tags = /^(?:math|semantics|annotation|m[a-z]{1,12})$/;
const attributes =
  /^(?:accent|accentUnder|columnAlign|columnLines|columnSpacing|columnSpan|depth|display|encoding|fence|form|frame|height|largeop|lineThickness|lSpace|mathVariant|maxSize|minSize|movableLimits|notation|rowAlign|rowLines|rowSpacing|rowSpan|rSpace|scriptLevel|separator|stretchy|symmetric|vOffset|width)$/i;

function findMath(node: Root | Element): Element | null {
  for (const child of node.children) {
    if (child.type !== 'element') continue;
    const found = child.tagName === 'math' ? keepMath(child) : findMath(child);
    if (found !== null) return found;
  }
  return null;
}

/** Removes everything that is not MathML. */
function keepMath({ tagName, properties, children }: Element): Element {
  return {
    type: 'element',
    tagName,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => attributes.test(name))),
    children: children.flatMap((child): ElementContent[] => {
      if (child.type === 'text') return [{ type: 'text', value: child.value }];
      return child.type === 'element' && tags.test(child.tagName) ? [keepMath(child)] : [];
    }),
  };
}
