const [minContextTokens, maxContextTokens] = [1_000, 100_000_000];

/** A number that is not part of a name, a version or an address. */
const number = /(?<![\w.,:/-])\d[\d,_]*(?!\w|\.\d|\/|-\d)/g;

const limit = /\b(max|maximum|limit|context|window|allowed|up to)\b/i;
/** "200000 maximum", "8192-token limit" */
const limitBehind = /^[\s-]*(tokens?\s+)?(max|maximum|limit|context)\b/i;
/** Maximum number of words between a limit and its name: "context length of the model is 32768". */
const maxWordsBetween = 6;

/**
 * Finds the context size in a server's error message: "maximum context length is 32768 tokens", "208310 tokens >
 * 200000 maximum". Null if it is not named. Such messages also contain the size of the request, so a number counts
 * only if it is compared with another or called a limit; of several, the smallest.
 */
export function parseContextLimit(message: string): number | null {
  const numbers = [...message.matchAll(number)];
  const stated = numbers.map(({ 0: digits, index }, place) => {
    const previous = numbers[place - 1];
    const before = message.slice(previous === undefined ? 0 : previous.index + previous[0].length, index);
    return {
      tokens: Number(digits.replaceAll(/\D/g, '')),
      isCompared: before.trimEnd().endsWith('>'),
      isNamed:
        limit.test(lastWordsOfSentence(before)) || limitBehind.test(message.slice(index + digits.length)),
    };
  });
  const sizes = stated.filter(({ tokens }) => tokens >= minContextTokens && tokens < maxContextTokens);
  const compared = sizes.filter(({ isCompared }) => isCompared);
  const limits = compared.length > 0 ? compared : sizes.filter(({ isNamed }) => isNamed);
  return limits.length === 0 ? null : Math.min(...limits.map(({ tokens }) => tokens));
}

/** The last words of the unfinished sentence at the end of the text. */
function lastWordsOfSentence(text: string): string {
  const sentence = text.split(/[.;!?]\s/).at(-1) ?? '';
  return sentence.trim().split(/\s+/).slice(-maxWordsBetween).join(' ');
}
