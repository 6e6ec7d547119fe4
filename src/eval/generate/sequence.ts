import type { Book } from './book.ts';
import { addDays } from './calendar.ts';
import type { Day } from './calendar.ts';
import { dayOf, mailUpdate, noteUpdate, transcriptUpdate } from './compose.ts';
import type { GeneratedUpdate } from './compose.ts';
import { askAbout, expectWorld } from './expectation.ts';
import type { GeneratedExpectation } from './expectation.ts';
import { beginProject, claimOwn, repeatSlot, tellSlot } from './happenings.ts';
import { createRandom } from './random.ts';
import { scenarioOf } from './scenario.ts';
import type { GeneratedScenario } from './scenario.ts';
import { happenMany, tellableSlots, tellSlots } from './stories.ts';
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
/** With fewer there is no room for one of each kind. */
export const fewestUpdates = 20;

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
        return mail(world, at);
      case 'transcript': {
        const { update, fact } = transcript(world, at, `${id}-transcript-${index + 1}.md`, size);
        kept.push(fact);
        return update;
      }
      case 'claim': {
        const sender = world.names.person();
        const { happening, claimed } = claimOwn(world, sender);
        claims.push({ pattern: claimed.pattern, in: '{profile,overview}.md' });
        return mailUpdate(world, { at, happenings: [happening], said: dayOf(at), sender });
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

/** Something told before is told again, beside something new. */
export function repeating(world: World, at: string): GeneratedUpdate {
  const moment = { spoken: dayOf(at), today: dayOf(at) };
  const known = world.live
    .flatMap(({ slots }) => slots)
    .filter(({ kind, value }) => value !== null && kind !== 'choice' && (value.day ?? '9') > moment.today);
  const slot = world.random.pick(known);
  const repeated = [repeatSlot(world, slot)];
  return noteUpdate(world, { at, happenings: happenMany(world, 1, moment, slot.project?.slots), repeated });
}

export function mail(world: World, at: string): GeneratedUpdate {
  const { random, names } = world;
  const moment = { spoken: daysBefore(world, at, 3), today: dayOf(at) };
  const slots = tellableSlots(world.live, ['figure', 'meeting', 'contact'], moment);
  const [first, second] = random.shuffled(slots);
  const chosen = [first, ...(random.chance(0.3) ? [second] : [])].flatMap((slot) => slot ?? []);
  const happenings = chosen.map((slot) => tellSlot(world, slot, moment));
  return mailUpdate(world, { at, happenings, said: moment.spoken, sender: names.person() });
}

export function transcript(
  world: World,
  at: string,
  name: string,
  size: number,
): { update: GeneratedUpdate; fact: GeneratedExpectation['facts'][number] } {
  const { random, names } = world;
  const project = random.pick(world.live);
  const said = daysBefore(world, at, 2);
  const happenings = tellSlots(world, project, random.between(3, 5), { spoken: said, today: dayOf(at) });
  const speakers = [names.person(), names.person(), names.person()];
  return {
    update: transcriptUpdate(world, { at, said, name, size, project, speakers, happenings }),
    fact: { pattern: speakers.join(', '), in: [`projects/${project.slug}/bucket/*.md`], times: 1 },
  };
}

function daysBefore({ random, start }: World, at: string, most: number): Day {
  const day = addDays(dayOf(at), -random.between(0, most));
  return day < start ? dayOf(at) : day;
}
