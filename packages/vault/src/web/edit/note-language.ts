import { defaultHighlightStyle, HighlightStyle } from '@codemirror/language';
import type { markdown } from '@codemirror/lang-markdown';

type Extensions = NonNullable<NonNullable<Parameters<typeof markdown>[0]>['extensions']>;

/** Parses frontmatter, which plain markdown would take for a heading. */
export const frontmatterExtension: Extensions = {
  defineNodes: [{ name: 'Frontmatter', block: true }],
  parseBlock: [
    {
      name: 'Frontmatter',
      before: 'HorizontalRule',
      parse(context, line) {
        if (context.lineStart !== 0 || line.text !== '---') return false;
        while (context.nextLine()) if (line.text === '---') break;
        context.nextLine();
        context.addElement(context.elt('Frontmatter', 0, context.prevLineEnd()));
        return true;
      },
    },
  ],
};

/** The default style in the colors of the interface, which are also legible in dark mode. */
export const noteHighlightStyle = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => {
    const { color, textDecoration, ...rest } = spec;
    const isHeading = rest['fontWeight'] === 'bold' && textDecoration === 'underline';
    return {
      ...rest,
      ...(textDecoration !== undefined && !isHeading && { textDecoration: textDecoration as string }),
      ...(color !== undefined && {
        color: color === '#404740' ? 'var(--color-soft)' : 'var(--color-accent)',
      }),
    };
  }),
);
