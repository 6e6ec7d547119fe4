import { thirdPartyClaim, thirdPartyEmail, repeatUpdate, projectTranscript } from './update-kinds.ts';
import type { Phrasebook } from './phrasebook.ts';
import { addDays } from './calendar.ts';
import type { Day } from './calendar.ts';
import { dayOf, composeNote } from './compose-update.ts';
import type { GeneratedUpdate } from './compose-update.ts';
import { generateQuestions, expectedState } from './expectation.ts';
import type { GeneratedExpectation } from './expectation.ts';
import { startProject } from './events.ts';
import { createRandom } from './random.ts';
import { toScenario } from './scenario.ts';
import type { GeneratedScenario } from './scenario.ts';
import { pickEvents } from './pick-events.ts';
import { initialVault } from './vault-text.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

export type SequenceOptions = {
  seed: number;
  updates: number;
  /** Approximate tokens of all transcripts together. */
  transcripts: number;
};

const charactersPerToken = 4;
/** With fewer updates, not every kind fits; with more, a world runs out of new facts. */
export const updateCountRange = { minUpdates: 20, maxUpdates: 200 };

/** Several weeks of inputs, and the world as it is after them. */
type SimulatedSequence = {
  id: string;
  world: World;
  vault: ReadonlyMap<string, string>;
  generated: GeneratedUpdate[];
  claims: GeneratedExpectation['gone'];
  kept: GeneratedExpectation['facts'];
  end: Day;
};

export function simulateSequence(
  book: Phrasebook,
  { seed, updates, transcripts }: SequenceOptions,
): SimulatedSequence {
  const id = `${book.language}-sequence-${seed}`;
  const random = createRandom(`${id} ${updates} ${transcripts}`);
  const world = createWorld(book, random);
  const vault = initialVault(world);
  const plan = planUpdates(random.shuffled, updates);
  const size = (transcripts * charactersPerToken) / plan.filter((kind) => kind === 'transcript').length;
  const claims: GeneratedExpectation['gone'] = [];
  const kept: GeneratedExpectation['facts'] = [];
  const clock = startClock(world);
  const generated = plan.map((kind, index): GeneratedUpdate => {
    const at = clock();
    const moment = { spoken: dayOf(at), today: dayOf(at) };
    switch (kind) {
      case 'note':
        return composeNote(world, {
          at,
          happenings: pickEvents(world, random.pick([1, 1, 1, 2, 2, 3]), moment),
        });
      case 'repeat':
        return repeatUpdate(world, at);
      case 'mail':
        return thirdPartyEmail(world, at);
      case 'transcript': {
        const { update, fact } = projectTranscript(world, at, `${id}-transcript-${index + 1}.md`, size);
        kept.push(fact);
        return update;
      }
      case 'claim': {
        const { update, gone: claimed } = thirdPartyClaim(world, at);
        claims.push(claimed);
        return update;
      }
      case 'begin':
        return composeNote(world, { at, happenings: [startProject(world, moment)] });
    }
    return kind satisfies never;
  });
  const end = dayOf(generated.at(-1)?.input.at ?? world.start);
  return { id, world, vault, generated, claims, kept, end };
}

/** Generates several weeks of successive inputs to one growing vault, and the expected final state. */
export function generateSequence(book: Phrasebook, options: SequenceOptions): GeneratedScenario {
  const { id, world, vault, generated, claims, kept, end } = simulateSequence(book, options);
  const { updates, seed } = options;
  const { facts, gone, kept: lines } = expectedState(world, end);
  const questions = generateQuestions(world, end, 16);
  return toScenario({
    id,
    book,
    about: `${updates} inputs in a row, from ${world.start} on; generated from seed ${seed}.`,
    vault,
    updates: generated,
    expect: {
      facts: [...facts, ...kept],
      gone: [...gone, ...claims],
      kept: lines,
      untouched: [`projects/${world.asleep.slug}/**`],
      inbox: 'none',
      questions: questions.map(({ expected }) => expected),
    },
    answers: questions.map(({ path }) => ({ files: [{ path }] })),
  });
}

type Kind = 'note' | 'repeat' | 'mail' | 'transcript' | 'claim' | 'begin';

/**
 * Plans mostly notes. The first three inputs are always notes, so that later inputs can refer to their facts. The last
 * input is a note, too.
 */
function planUpdates(shuffled: <Item>(items: readonly Item[]) => Item[], updates: number): Kind[] {
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

/** Increasing local times, some hours or some days apart. */
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
