import { mathFromMarkdown } from 'mdast-util-math';
import { math } from 'micromark-extension-math';
import type { Processor } from 'unified';

type Extension = ReturnType<typeof math>;
type Construct = Exclude<NonNullable<NonNullable<Extension['text']>[number]>, readonly unknown[]>;
type Tokenizer = Construct['tokenize'];

const dollar = 36;

/** Parses `$…$` and `$$…$$`, but not amounts of money such as `$5 and $10`. */
export function remarkStrictMath(this: Processor): void {
  const data = this.data() as { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] };
  const extension = math();
  const found = extension.text?.[dollar];
  const constructs = found === undefined ? [] : 'tokenize' in found ? [found] : found;
  const text = {
    [dollar]: constructs.map((construct) => ({ ...construct, tokenize: withMathCheck(construct) })),
  };
  (data.micromarkExtensions ??= []).push({ ...extension, text });
  (data.fromMarkdownExtensions ??= []).push(mathFromMarkdown());
}

function withMathCheck({ tokenize }: Construct): Tokenizer {
  return function begin(effects, ok, nok) {
    const whole = tokenize.call(this, effects, ok, nok);
    return effects.check({ tokenize: inlineMathCheck, partial: true }, whole, nok);
  };
}

/** Accepts `$…$` only on one line, without spaces inside the delimiters and without a digit after them. `$$` is always math. */
const inlineMathCheck: Tokenizer = (effects, ok, nok) => {
  let before: number | null = null;
  const isSpace = (code: number | null): boolean => code === null || code <= 32;
  return function first(code) {
    effects.enter('data');
    effects.consume(code);
    return second;
  };
  function second(code: number | null): ReturnType<typeof ok> {
    if (code === dollar) {
      effects.exit('data');
      return ok(code);
    }
    return isSpace(code) ? nok(code) : inside(code);
  }
  function inside(code: number | null): ReturnType<typeof ok> {
    if (code === null || code < 0) {
      // Negative codes are line endings, except those of a tab and its virtual spaces.
      if (code !== -2 && code !== -1) return nok(code);
    }
    if (code === dollar && isSpace(before)) return nok(code);
    effects.consume(code);
    if (code === dollar) return behind;
    before = code;
    return inside;
  }
  function behind(code: number | null): ReturnType<typeof ok> {
    effects.exit('data');
    return code !== null && code >= 48 && code <= 57 ? nok(code) : ok(code);
  }
};
