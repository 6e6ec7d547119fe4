const [smallest, largest] = [1_000, 100_000_000];

/** A number by itself, and not a part of a name, a version or an address. */
const number = /(?<![\w.,:/-])\d[\d,_]*(?!\w|\.\d|\/|-\d)/g;

const limit = /\b(max|maximum|limit|context|window|allowed|up to)\b/i;
/** «200000 maximum», «8192-token limit» */
const limitBehind = /^[\s-]*(tokens?\s+)?(max|maximum|limit|context)\b/i;
/** How many words may stand between a limit and its name: «context length of the model is 32768». */
const near = 6;

/**
 * How many tokens a model takes, as it says when it refuses more: «maximum context length is 32768 tokens», «208310 tokens >
 * 200000 maximum». Null when it does not say. What was sent is in such words, too, so that a number counts only when
 * something is compared with it or it is called a limit; the smallest, when there are several.
 */
export function statedContext(message: string): number | null {
  const numbers = [...message.matchAll(number)];
  const stated = numbers.map(({ 0: digits, index }, place) => {
    const previous = numbers[place - 1];
    const before = message.slice(previous === undefined ? 0 : previous.index + previous[0].length, index);
    return {
      tokens: Number(digits.replaceAll(/\D/g, '')),
      isCompared: before.trimEnd().endsWith('>'),
      isNamed: limit.test(lastWords(before)) || limitBehind.test(message.slice(index + digits.length)),
    };
  });
  const sizes = stated.filter(({ tokens }) => tokens >= smallest && tokens < largest);
  const compared = sizes.filter(({ isCompared }) => isCompared);
  const limits = compared.length > 0 ? compared : sizes.filter(({ isNamed }) => isNamed);
  return limits.length === 0 ? null : Math.min(...limits.map(({ tokens }) => tokens));
}

/** Of the sentence that goes on behind this text. */
function lastWords(text: string): string {
  const sentence = text.split(/[.;!?]\s/).at(-1) ?? '';
  return sentence.trim().split(/\s+/).slice(-near).join(' ');
}
