const smallestContext = 1_000;

/**
 * How many tokens a model takes, as it says when it refuses more: «maximum context length is 32768 tokens», «208310 tokens >
 * 200000 maximum». It is the smallest number of that size there; null when there is none.
 */
export function statedContext(message: string): number | null {
  const numbers = [...message.matchAll(/\d[\d,_']*/g)].map(([digits]) =>
    Number(digits.replaceAll(/\D/g, '')),
  );
  const sizes = numbers.filter((number) => number >= smallestContext && number < 100_000_000);
  return sizes.length === 0 ? null : Math.min(...sizes);
}
