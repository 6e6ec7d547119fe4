import { ParseError, renderToString } from 'katex';

/** The source of a longer formula is shown instead. */
const maxFormulaCharacters = 5_000;

/** MathML that is not sanitized yet; browsers lay it out without extra styles or fonts. Null if the source is too long or invalid. */
export function renderMathML(source: string, isApart: boolean): string | null {
  if (source.length > maxFormulaCharacters) return null;
  try {
    return renderToString(source, {
      displayMode: isApart,
      output: 'mathml',
      throwOnError: true,
      strict: 'ignore',
      // Disables links and external content.
      trust: false,
      maxExpand: 1_000,
      maxSize: 50,
    });
  } catch (error) {
    if (error instanceof ParseError || error instanceof RangeError) return null;
    throw error;
  }
}

/** The only attributes that are kept. Syntax trees write some of them with capitals. */
export const mathAttribute =
  /^(?:accent|accentunder|columnalign|columnlines|columnspacing|columnspan|depth|display|encoding|fence|form|frame|height|largeop|linebreak|linethickness|lspace|mathbackground|mathcolor|mathsize|mathvariant|maxsize|minsize|movablelimits|notation|rowalign|rowlines|rowspacing|rowspan|rspace|scriptlevel|separator|stretchy|symmetric|voffset|width)$/i;
