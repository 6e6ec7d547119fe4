import rehypeRaw from 'rehype-raw';
import { unified } from 'unified';
import { loadFormulas } from '../../web/index.ts';
import type { Element, ElementContent, Root } from '../../web/index.ts';

/** Null if the source is too long or invalid. */
export type RenderFormula = (source: string, isApart: boolean) => Element | null;

/** Renders formulas as the web interface draws them. */
export async function loadFormulaRenderer(): Promise<RenderFormula> {
  const { mathAttribute, renderMathML } = await loadFormulas();
  /** Removes everything that is not MathML. */
  const keepMath = ({ tagName, properties, children }: Element): Element => ({
    type: 'element',
    tagName,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => mathAttribute.test(name))),
    children: children.flatMap((child): ElementContent[] => {
      if (child.type === 'text') return [{ type: 'text', value: child.value }];
      return child.type === 'element' && tags.test(child.tagName) ? [keepMath(child)] : [];
    }),
  });
  return (source, isApart) => {
    const markup = renderMathML(source, isApart);
    if (markup === null) return null;
    const raw = { type: 'root', children: [{ type: 'raw', value: markup }] };
    const math = findMath(
      unified()
        .use(rehypeRaw)
        .runSync(raw as never) as unknown as Root,
    );
    return math === null ? null : keepMath(math);
  };
}

const tags = /^(?:math|semantics|annotation|m[a-z]{1,12})$/;

function findMath(node: Root | Element): Element | null {
  for (const child of node.children) {
    if (child.type !== 'element') continue;
    const found = child.tagName === 'math' ? child : findMath(child);
    if (found !== null) return found;
  }
  return null;
}
