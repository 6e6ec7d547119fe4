import { contentTerms } from '../../review/index.ts';
import { addDays } from '../../contract/index.ts';
import type { Candidate, SourceLine } from './candidate.ts';
import type { Entry, Fact, Sources, Task } from './read-sources.ts';

/** The most candidates of each kind, so that a request stays small. */
const maxCandidates = { done: 14, contradiction: 14, duplicate: 12, overview: 6 } as const;
/** Minimum share of the words of a task, weighted by rarity, that an entry or another task must contain. */
const minTaskShare = 0.5;
/** The same between different projects, and for statements that are said twice. */
const minStrictShare = 0.7;
const minFactShare = 0.35;
/** An entry of which a statement has this share of the words says the same as the statement. */
const minRepeatedShare = 0.95;
const minSharedTerms = 2;
/** An entry that shares less than this with the line of its project in the overview may not be in it yet. */
const maxOverviewShare = 0.3;
/** Only entries of the last days can make the overview stale. */
const recentDays = 60;

type Scored = { candidate: Candidate; score: number };

/** Finds lines that may need tidying, the most likely of each kind first. `today` is a day such as 2025-07-14. */
export function findCandidates(sources: Sources, today: string): Candidate[] {
  const weigh = createWeighing(sources);
  const found = {
    done: sources.tasks.flatMap((task) => findReport(task, sources.entries, weigh)),
    contradiction: sources.facts.flatMap((fact) => findContradiction(fact, sources.entries, weigh)),
    duplicate: findDuplicates(sources, weigh),
    overview: findStaleOverview(sources, today, weigh),
  };
  return (['done', 'contradiction', 'duplicate', 'overview'] as const).flatMap((kind) =>
    found[kind]
      .toSorted((a, b) => b.score - a.score)
      .slice(0, maxCandidates[kind])
      .map(({ candidate }) => candidate),
  );
}

/** The entry that most likely reports a task as done: it has most of the task's words and is not older. */
function findReport(task: Task, entries: readonly Entry[], weigh: Weighing): Scored[] {
  const later = entries.filter(({ day }) => task.addedOn === null || day >= task.addedOn);
  return best(later, (entry) => {
    const { share, count } = weigh.overlap(task.text, entryText(entry));
    const isNear = entry.project === task.project || entry.project === null || task.project === null;
    return count >= minSharedTerms && share >= (isNear ? minTaskShare : minStrictShare) ? share : null;
  }).map(({ item, score }) => ({
    score,
    candidate: { kind: 'done', target: task, evidence: entryLines(item) },
  }));
}

/** The entry of the same project that most likely contradicts a statement: the same subject with other numbers or words. */
function findContradiction(fact: Fact, entries: readonly Entry[], weigh: Weighing): Scored[] {
  const own = entries.filter(({ project }) => project === fact.project || project === null);
  const factNumbers = numbersOf(fact.text);
  return best(own, (entry) => {
    const text = entryText(entry);
    const { share, count } = weigh.overlap(fact.text, text);
    if (count < minSharedTerms || share < minFactShare) return null;
    const numbers = numbersOf(text);
    const differs = [...numbers].some((number) => !factNumbers.has(number));
    const says = [...factNumbers].every((number) => numbers.has(number));
    // A statement that only repeats the entry does not contradict it.
    if (!differs && says && weigh.overlap(text, fact.text).share > minRepeatedShare) return null;
    return share + (differs ? 0.3 : 0) + (factNumbers.size > 0 && !says ? 0.3 : 0);
  }).map(({ item, score }) => ({
    score,
    candidate: { kind: 'contradiction', target: fact, evidence: entryLines(item) },
  }));
}

/** Pairs of tasks, and of statements in different files, with nearly the same words. The later one of a pair is the target. */
function findDuplicates({ tasks, facts }: Sources, weigh: Weighing): Scored[] {
  const pairs = (lines: readonly SourceLine[], minShare: number, mayShareFile: boolean): Scored[] =>
    lines.flatMap((target, index) =>
      best(lines.slice(0, index), (other) => {
        if (other.path === target.path && !mayShareFile) return null;
        const [one, two] = [weigh.overlap(target.text, other.text), weigh.overlap(other.text, target.text)];
        const score = Math.max(one.share, two.share) * 0.5 + Math.min(one.share, two.share) * 0.5;
        return one.count >= minSharedTerms && score >= minShare ? score : null;
      }).map(({ item, score }) => ({ score, candidate: { kind: 'duplicate', target, evidence: [item] } })),
    );
  return [...pairs(tasks, minTaskShare, true), ...pairs(facts, minStrictShare, false)];
}

/** Projects with a recent entry whose words the line of the overview about them lacks. */
function findStaleOverview({ overview, entries }: Sources, today: string, weigh: Weighing): Scored[] {
  const since = addDays(today, -recentDays);
  const newest = new Map<string, Entry>();
  for (const entry of entries)
    if (entry.project !== null && entry.day > (newest.get(entry.project)?.day ?? since))
      newest.set(entry.project, entry);
  return [...newest].flatMap(([project, entry]) => {
    const target = overview.find(({ text }) => mentionsProject(text, project));
    if (target === undefined || weigh.overlap(entryText(entry), target.text).share > maxOverviewShare)
      return [];
    const candidate: Candidate = { kind: 'overview', target, evidence: entryLines(entry) };
    return [{ candidate, score: Date.parse(entry.day) }];
  });
}

function mentionsProject(text: string, project: string): boolean {
  const [folded, name] = [text, project].map((each) => each.toLowerCase().replaceAll(/[-_\s]+/g, ' '));
  return folded?.includes(name ?? '') === true;
}

type Weighing = {
  /** The share of the words of `text`, weighted by rarity, that `other` contains, and the number of these words. */
  overlap: (text: string, other: string) => { share: number; count: number };
};

/** Words count by how rare they are in the compared lines. */
function createWeighing({ tasks, entries, facts }: Sources): Weighing {
  const memory = new Map<string, Set<string>>();
  const termsOf = (text: string): Set<string> => {
    const terms = memory.get(text) ?? contentTerms(text);
    memory.set(text, terms);
    return terms;
  };
  const texts = [...tasks, ...facts].map(({ text }) => text).concat(entries.map(entryText));
  const counts = new Map<string, number>();
  for (const text of texts) for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weight = (term: string): number => 1 + Math.log(1 + texts.length / (counts.get(term) ?? 1));
  const sum = (terms: readonly string[]): number => terms.reduce((total, term) => total + weight(term), 0);
  return {
    overlap(text, other) {
      const [own, others] = [[...termsOf(text)], termsOf(other)];
      const shared = own.filter((term) => others.has(term));
      return { share: own.length === 0 ? 0 : sum(shared) / sum(own), count: shared.length };
    },
  };
}

function best<Item>(
  items: readonly Item[],
  rate: (item: Item) => number | null,
): { item: Item; score: number }[] {
  let found: { item: Item; score: number } | null = null;
  for (const item of items) {
    const score = rate(item);
    if (score !== null && score > (found?.score ?? 0)) found = { item, score };
  }
  return found === null ? [] : [found];
}

function entryText({ heading, body }: Entry): string {
  return [heading, ...body].map(({ text }) => text).join('\n');
}

function entryLines({ heading, body }: Entry): SourceLine[] {
  return [heading, ...body];
}

function numbersOf(text: string): Set<string> {
  return new Set(text.match(/\d+(?:[.,:]\d+)*/g));
}
