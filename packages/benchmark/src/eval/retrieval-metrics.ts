/** A question and the lines that answer it. */
export type Question = {
  id: string;
  /** Several are searched together. */
  query: string | string[];
  /** Users also find the profile and the overview; the default is a model. */
  reader?: 'model' | 'person' | undefined;
  scopes?: string[] | undefined;
  relevant: { path: string; lines: [number, number] }[];
  /** Lines that are outdated or about something else, and should not be shown. */
  forbidden?: { path: string; lines: [number, number] }[] | undefined;
};

type LineRange = { start: number; end: number };

/** The result of one search. */
export type SearchResult = {
  /** All matching chunks, best first; used for the top-5 and top-10 metrics. */
  ranked: readonly { path: string; lines: LineRange }[];
  /** The passages that the result shows, which cost tokens. */
  shown: readonly { path: string; lines: LineRange; text: string }[];
  milliseconds: number;
  /** Time of the processor, which other programs on the machine do not change. */
  cpuMilliseconds: number;
};

export type RetrievalMetrics = {
  questions: number;
  recallAt1: number;
  recallAt5: number;
  recallAt10: number;
  meanReciprocalRank: number;
  recallWithin2000Tokens: number;
  /** The mean share of the forbidden lines of a question that the result shows; null without such questions. */
  forbiddenShown: number | null;
  tokensShown: number;
  resultsShown: number;
  millisecondsPerQuery: number;
  /** The medians over all questions. */
  medianMilliseconds: number;
  medianCpuMilliseconds: number;
};

const tokenBudget = 2_000;

/** Accumulates the metrics of single questions. With several relevant places, recall is the share that was found. */
export function createRetrievalMetrics(): {
  add(question: Question, given: SearchResult): void;
  finish(): RetrievalMetrics;
} {
  const sums = { at1: 0, at5: 0, at10: 0, reciprocal: 0, within: 0, tokens: 0, results: 0, milliseconds: 0 };
  const times: number[] = [];
  const cpuTimes: number[] = [];
  const forbiddenShares: number[] = [];
  let questions = 0;
  return {
    add({ relevant, forbidden = [] }, { ranked, shown, milliseconds, cpuMilliseconds }) {
      const ranks = relevant.map((place) => ranked.findIndex((result) => coversLine(result, place)));
      const share = (isFound: (rank: number) => boolean): number =>
        ranks.filter((rank) => rank >= 0 && isFound(rank)).length / relevant.length;
      const best = Math.min(...ranks.filter((rank) => rank >= 0));
      questions += 1;
      sums.at1 += share((rank) => rank < 1);
      sums.at5 += share((rank) => rank < 5);
      sums.at10 += share((rank) => rank < 10);
      sums.reciprocal += Number.isFinite(best) ? 1 / (best + 1) : 0;
      sums.within += shareOf(relevant, linesShown(shown, tokenBudget));
      if (forbidden.length > 0) forbiddenShares.push(shareOf(forbidden, linesShown(shown, Infinity)));
      sums.tokens += shown.reduce((sum, { text }) => sum + text.length / 4, 0);
      sums.results += shown.length;
      sums.milliseconds += milliseconds;
      times.push(milliseconds);
      cpuTimes.push(cpuMilliseconds);
    },
    finish() {
      const mean = (sum: number): number => (questions === 0 ? 0 : sum / questions);
      return {
        questions,
        recallAt1: mean(sums.at1),
        recallAt5: mean(sums.at5),
        recallAt10: mean(sums.at10),
        meanReciprocalRank: mean(sums.reciprocal),
        recallWithin2000Tokens: mean(sums.within),
        forbiddenShown: forbiddenShares.length === 0 ? null : average(forbiddenShares),
        tokensShown: mean(sums.tokens),
        resultsShown: mean(sums.results),
        millisecondsPerQuery: mean(sums.milliseconds),
        medianMilliseconds: median(times),
        medianCpuMilliseconds: median(cpuTimes),
      };
    },
  };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

type Place = Question['relevant'][number];

/** Whether a chunk is a hit: its lines include the first relevant line. */
function coversLine({ path, lines }: SearchResult['ranked'][number], place: Place): boolean {
  return path === `vault/${place.path}` && lines.start <= place.lines[0] && lines.end >= place.lines[0];
}

/** The lines shown before the budget is exhausted, as `path:line`. Everything shown uses the budget, in order. */
function linesShown(results: SearchResult['shown'], budget: number): ReadonlySet<string> {
  const seen = new Set<string>();
  let used = 0;
  for (const { path, lines, text } of results) {
    for (const [index, line] of text.split('\n').entries()) {
      used += (line.length + 1) / 4;
      if (used > budget) return seen;
      seen.add(`${path}:${lines.start + index}`);
    }
  }
  return seen;
}

function shareOf(places: readonly Place[], seen: ReadonlySet<string>): number {
  return places.filter(({ path, lines }) => seen.has(`vault/${path}:${lines[0]}`)).length / places.length;
}

/** Measures the time since it was created. */
export function createStopwatch(): () => Pick<SearchResult, 'milliseconds' | 'cpuMilliseconds'> {
  const [since, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { milliseconds: performance.now() - since, cpuMilliseconds: (user + system) / 1_000 };
  };
}
