import { defaultHighlightStyle, HighlightStyle } from '@codemirror/language';
import type { markdown } from '@codemirror/lang-markdown';

type Extensions = NonNullable<NonNullable<Parameters<typeof markdown>[0]>['extensions']>;

/** Properties at the top are not a heading, which is what markdown alone takes them for. */
export const frontmatter: Extensions = {
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

/** The usual style in the colours of the interface, so that it is legible in the dark, too. */
export const highlight = HighlightStyle.define(
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
