import { formatLocalTime } from '../contract/index.ts';
import { escapeInvisible } from '../vault/index.ts';
import type { BriefWords } from './brief-words.ts';
import { estimateTokens } from './estimate-tokens.ts';
import type { Part } from './fill-parts.ts';
import type { Speech } from './recorded-session.ts';
import type { SelectedSession } from './select-speeches.ts';
import { estimateSentence, fitSentences, formatSentences, splitSentences } from './sentences.ts';
import type { Sentence } from './sentences.ts';
import { truncateText } from './transcript.ts';
import { weighSentences } from './weigh-sentences.ts';
import type { Weight } from './weigh-sentences.ts';

/** A sentence with what decides whether it is quoted. */
type Spoken = Sentence & { session: SelectedSession; speech: Speech; weight: Weight };

const maxBranchLength = 60;
/** The end of the last answer comes before sentences that decide nothing. */
const maxEndTokens = 100;

/**
 * Quotes sessions, newest first: sentences of the user that decide, the last prompt, next steps, then the rest as far as there is room.
 */
export function quoteSessions(
  sessions: readonly SelectedSession[],
  now: number,
  words: BriefWords,
): Part['quote'] {
  const spoken = sessions.map((session) => session.speeches.map((speech) => splitSpeech(session, speech)));
  const heads = new Map(
    sessions.map((session, index) => [session, formatHead(session, index === 0, now, words)]),
  );
  const ranked = rank(spoken);
  const format = (tokens: number): string | null => {
    const chosen = choose(ranked, tokens, heads);
    const quoted = sessions.flatMap((session, index) => {
      const speeches = spoken[index] ?? [];
      const missing = speeches.flat().filter((sentence) => !chosen.has(sentence));
      if (missing.length === speeches.flat().length) return [];
      const lines = speeches.flatMap((sentences) => {
        const [first] = sentences;
        if (first === undefined) return [];
        const prefix = first.speech.kind === 'prompt' ? '> ' : '';
        return formatSentences(first.speech.lines, sentences, (each) => chosen.has(each as Spoken), prefix);
      });
      return [heads.get(session) ?? '', ...lines, ...formatRest(session, missing, words)];
    });
    return quoted.length === 0 ? null : quoted.join('\n');
  };
  return (tokens) => fitSentences(tokens, format);
}

function splitSpeech(session: SelectedSession, speech: Speech): Spoken[] {
  const sentences = splitSentences(speech.lines);
  const weights = weighSentences(sentences, speech.kind === 'summary');
  return sentences.map((sentence) => ({ ...sentence, session, speech, weight: weights.get(sentence) ?? 0 }));
}

/** All sentences in the order in which they are chosen, by rank. A sentence can be in several ranks. */
function rank(sessions: readonly Spoken[][][]): Spoken[][] {
  const [newest = []] = sessions;
  const isPrompt = ([first]: Spoken[]): boolean => first?.speech.kind === 'prompt';
  const lastPrompts = sessions.map((speeches) => speeches.findLast(isPrompt) ?? []);
  // The newest speech first, as it may revise what was said before.
  const latest = sessions.flatMap((speeches) => speeches.toReversed());
  const [prompts, answers] = [latest.filter(isPrompt), latest.filter((speech) => !isPrompt(speech))];
  const weighing = (speeches: Spoken[][], least: Weight): Spoken[] =>
    speeches.flat().filter(({ weight }) => weight >= least);
  const lastAnswer = newest.findLast((speech) => !isPrompt(speech)) ?? [];
  return [
    weighing(prompts, 2),
    lastPrompts[0] ?? [],
    weighing(prompts, 1),
    takeEnd(lastAnswer, maxEndTokens),
    weighing(answers, 2),
    weighing(answers, 1),
    lastPrompts.flat(),
    prompts.flat(),
    answers.flat().filter(({ kind }) => kind !== 'code'),
    answers.flat(),
  ];
}

/** The last sentences, at least one. */
function takeEnd(sentences: Spoken[], tokens: number): Spoken[] {
  let left = tokens;
  const first = sentences.findLastIndex((sentence) => (left -= estimateSentence(sentence)) < 0);
  return sentences.slice(Math.min(first + 1, sentences.length - 1));
}

function choose(
  ranked: readonly Spoken[][],
  tokens: number,
  heads: ReadonlyMap<SelectedSession, string>,
): Set<Spoken> {
  const chosen = new Set<Spoken>();
  const shown = new Set<SelectedSession>();
  let left = tokens;
  for (const sentences of ranked)
    for (const sentence of sentences) {
      if (chosen.has(sentence)) continue;
      const { session } = sentence;
      const frame = shown.has(session) ? 0 : estimateTokens(heads.get(session) ?? '') + maxRestTokens;
      const needed = estimateSentence(sentence) + frame;
      // The sentences of a rank belong together, so a shorter one further on does not take the place.
      if (needed > left) break;
      left -= needed;
      chosen.add(sentence);
      shown.add(session);
    }
  return chosen;
}

function formatHead(
  { at, client, branch, source, isAnswered }: SelectedSession,
  isNewest: boolean,
  now: number,
  words: BriefWords,
): string {
  const day = at.slice(0, 10);
  const facts = [
    `${day} (${words.daysAgo(daysBetween(day, formatLocalTime(now).slice(0, 10)))})`,
    escapeInvisible(client),
    ...(branch === null ? [] : [words.branch(truncateText(escapeInvisible(branch), maxBranchLength))]),
    ...(source === null ? [] : [source]),
    ...(isAnswered ? [] : [words.unanswered]),
  ];
  return isNewest ? words.leftOff(facts) : words.before(facts);
}

const maxRestTokens = 15;

/** Where the words of a session are that are not quoted; empty if all are. */
function formatRest(
  { source, others }: SelectedSession,
  missing: readonly Spoken[],
  words: BriefWords,
): string[] {
  const lines = [
    ...others,
    ...missing.flatMap(({ fragments, speech }) => fragments.map(({ line }) => speech.lines[line])),
  ];
  if (lines.length === 0) return [];
  const numbers = lines.map((line) => line?.number).filter((number) => number != null);
  return [
    numbers.length === 0
      ? words.moreSaid(source === null)
      : words.moreInLines(`${Math.min(...numbers)}-${Math.max(...numbers)}`),
  ];
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}
