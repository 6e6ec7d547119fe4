import { claimOfOthers, mailOfOthers, repeating, talkAbout } from './accounts.ts';
import type { Book } from './book.ts';
import { addDays } from './calendar.ts';
import { dayOf, noteUpdate } from './compose.ts';
import type { GeneratedUpdate } from './compose.ts';
import { askAbout, expectWorld } from './expectation.ts';
import type { GeneratedExpectation } from './expectation.ts';
import { beginProject } from './happenings.ts';
import { createRandom } from './random.ts';
import { scenarioOf } from './scenario.ts';
import type { GeneratedScenario } from './scenario.ts';
import { happenMany } from './stories.ts';
import { startingVault } from './vault-lines.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

export type SequenceOptions = {
  seed: number;
  updates: number;
  /** Tokens of all transcripts together, about. */
  transcripts: number;
};

const charactersPerToken = 4;
/** With fewer there is no room for one of each kind; with more a world has nothing new to tell. */
export const boundsOfUpdates = { least: 20, most: 200 };

/** Weeks of a life: one input after the other on one vault that grows, and what is true at the end. */
export function generateSequence(
  book: Book,
  { seed, updates, transcripts }: SequenceOptions,
): GeneratedScenario {
  const id = `${book.language}-sequence-${seed}`;
  const random = createRandom(`${id} ${updates} ${transcripts}`);
  const world = createWorld(book, random);
  const vault = startingVault(world);
  const plan = planOf(random.shuffled, updates);
  const size = (transcripts * charactersPerToken) / plan.filter((kind) => kind === 'transcript').length;
  const claims: GeneratedExpectation['gone'] = [];
  const kept: GeneratedExpectation['facts'] = [];
  const clock = startClock(world);
  const made = plan.map((kind, index): GeneratedUpdate => {
    const at = clock();
    const moment = { spoken: dayOf(at), today: dayOf(at) };
    switch (kind) {
      case 'note':
        return noteUpdate(world, {
          at,
          happenings: happenMany(world, random.pick([1, 1, 1, 2, 2, 3]), moment),
        });
      case 'repeat':
        return repeating(world, at);
      case 'mail':
        return mailOfOthers(world, at);
      case 'transcript': {
        const { update, fact } = talkAbout(world, at, `${id}-transcript-${index + 1}.md`, size);
        kept.push(fact);
        return update;
      }
      case 'claim': {
        const { update, gone: claimed } = claimOfOthers(world, at);
        claims.push(claimed);
        return update;
      }
      case 'begin':
        return noteUpdate(world, { at, happenings: [beginProject(world, moment)] });
    }
    return kind satisfies never;
  });
  const end = dayOf(made.at(-1)?.input.at ?? world.start);
  const { facts, gone, kept: lines } = expectWorld(world, end);
  const asked = askAbout(world, end, 16);
  return scenarioOf({
    id,
    book,
    about: `${updates} inputs in a row, from ${world.start} on; generated from seed ${seed}.`,
    vault,
    updates: made,
    expect: {
      facts: [...facts, ...kept],
      gone: [...gone, ...claims],
      kept: lines,
      untouched: [`projects/${world.asleep.slug}/**`],
      inbox: 'none',
      questions: asked.map(({ expected }) => expected),
    },
    answers: asked.map(({ path }) => ({ files: [{ path }] })),
  });
}

type Kind = 'note' | 'repeat' | 'mail' | 'transcript' | 'claim' | 'begin';

/** Mostly notes; the first few and the last one always, so that there is something to speak of. */
function planOf(shuffled: <Item>(items: readonly Item[]) => Item[], updates: number): Kind[] {
  const many = (share: number, kind: Kind): Kind[] =>
    Array.from({ length: Math.max(1, Math.round(updates * share)) }, () => kind);
  const special = [
    ...many(0.12, 'repeat'),
    ...many(0.16, 'mail'),
    ...many(0.1, 'transcript'),
    ...many(0.03, 'claim'),
  ];
  const middle = shuffled<Kind>([
    ...special,
    ...Array.from({ length: Math.max(0, updates - special.length - 5) }, () => 'note' as const),
  ]);
  const begin = Math.floor(middle.length / 3);
  return ['note', 'note', 'note', ...middle.toSpliced(begin, 0, 'begin'), 'note'];
}

/** Local times that only go on: some hours or some days later each time. */
function startClock({ start, random }: World): () => string {
  let [day, hour] = [addDays(start, 1), 8];
  return () => {
    hour += random.between(1, 4);
    if (hour > 20 || random.chance(0.6)) {
      day = addDays(day, random.between(1, 3));
      hour = random.between(8, 12);
    }
    return `${day}T${String(hour).padStart(2, '0')}:${String(random.between(10, 59))}:00`;
  };
}
