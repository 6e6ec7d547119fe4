import { claimOfOthers, mailOfOthers, repeating, talkAbout } from './accounts.ts';
import type { Book } from './book.ts';
import { addDays } from './calendar.ts';
import { dayOf, knownUpdate, noteUpdate, unclearUpdate } from './compose.ts';
import type { GeneratedUpdate } from './compose.ts';
import { askAbout, expectWorld } from './expectation.ts';
import type { GeneratedExpectation } from './expectation.ts';
import { addTask, beginProject, finishTask, moveTask, repeatSlot, tellSlot } from './happenings.ts';
import type { Happening } from './happenings.ts';
import { createRandom } from './random.ts';
import { scenarioOf } from './scenario.ts';
import type { GeneratedScenario } from './scenario.ts';
import { tellableSlots, tellSlots } from './stories.ts';
import { lineOf, placeOf, startingVault } from './vault-lines.ts';
import { createWorld } from './world.ts';
import type { Project, Slot, World } from './world.ts';

const kinds = [
  'change',
  'mail',
  'task',
  'repeat',
  'choice',
  'several',
  'transcript',
  'finished',
  'correction',
  'moved',
  'own',
  'claim',
  'begin',
  'unclear',
  'mixed',
  'unchanged',
] as const;

type Made = { update: GeneratedUpdate; expect?: Partial<GeneratedExpectation> };

/** One input on a vault of its own. The kinds take turns, so that every set has all of them. */
export function generateSingle(book: Book, seed: number, index: number): GeneratedScenario {
  const id = `${book.language}-generated-${seed}-${String(index + 1).padStart(3, '0')}`;
  const random = createRandom(id);
  const world = createWorld(book, random);
  const vault = startingVault(world);
  const at = `${addDays(world.start, random.between(1, 5))}T${random.between(10, 20)}:${random.between(10, 59)}:00`;
  const kind = kinds[index % kinds.length] ?? 'change';
  const projects = [...world.live];
  const { update, expect = {} } = make(kind, { world, vault, at, id });
  const { facts, gone, kept } = expectWorld(world, dayOf(at));
  const asked = askAbout(world, dayOf(at), 2);
  return scenarioOf({
    id,
    book,
    about: `One input of the kind «${kind}»; generated from seed ${seed}.`,
    vault,
    updates: [update],
    expect: {
      facts: [...facts, ...(expect.facts ?? [])],
      gone: [...gone, ...(expect.gone ?? [])],
      kept,
      untouched: untouchedBy(world, projects),
      inbox: expect.inbox ?? 'none',
      changelogEntries: expect.changelogEntries ?? 1,
      questions: asked.map(({ expected }) => expected),
    },
    answers: asked.map(({ path }) => ({ files: [{ path }] })),
  });
}

type Parts = { world: World; vault: ReadonlyMap<string, string>; at: string; id: string };

function make(kind: (typeof kinds)[number], { world, vault, at, id }: Parts): Made {
  const { random, live, tasks } = world;
  const moment = { spoken: dayOf(at), today: dayOf(at) };
  const known = (wanted: readonly Slot['kind'][]): Slot =>
    random.pick(tellableSlots(live, wanted, moment).filter(({ value }) => value !== null));
  const task = random.pick([...live.flatMap((project) => project.tasks), ...tasks]);
  switch (kind) {
    case 'change':
      return note([tellSlot(world, known(['figure', 'meeting', 'contact']), moment)]);
    case 'mail':
      return { update: mailOfOthers(world, at) };
    case 'task':
      return note([addTask(world, random.pick([...live, null]), moment)]);
    case 'repeat':
      return { update: repeating(world, at) };
    case 'choice':
      return note([tellSlot(world, random.pick(tellableSlots(live, ['choice'], moment)), moment)]);
    case 'several':
      return note(live.flatMap((project) => tellSlots(world, project, random.between(1, 2), moment)));
    case 'transcript': {
      const { update, fact } = talkAbout(world, at, `${id}-transcript.md`, random.between(6_000, 16_000));
      return { update, expect: { facts: [fact] } };
    }
    case 'finished':
      return note([finishTask(world, task)]);
    case 'correction':
      return note([tellSlot(world, known(['figure']), moment, true)]);
    case 'moved':
      return note([moveTask(world, task, moment)]);
    case 'own':
      return note([tellSlot(world, random.pick(world.own), moment)]);
    case 'claim': {
      const { update, gone } = claimOfOthers(world, at);
      return { update, expect: { gone: [gone] } };
    }
    case 'begin': {
      const happening = beginProject(world, moment);
      const { slug, place } = world.future;
      const fact = { pattern: place, in: [`projects/${slug}/description.md`], times: 6 };
      return { ...note([happening]), expect: { facts: [fact] } };
    }
    case 'unclear':
      return unclear([]);
    case 'mixed':
      return unclear([tellSlot(world, known(['figure', 'meeting', 'contact']), moment)]);
    case 'unchanged': {
      const slot = known(['figure', 'meeting', 'contact']);
      const path = placeOf.slot(slot);
      const line = (vault.get(path) ?? '').split('\n').indexOf(lineOf(slot, world.book)) + 1;
      const said = repeatSlot(world, slot);
      const update = knownUpdate(world, { said, line, path, query: slot.name, at });
      return { update, expect: { changelogEntries: 0 } };
    }
  }
  return kind satisfies never;

  function note(happenings: readonly Happening[]): Made {
    return { update: noteUpdate(world, { at, happenings }) };
  }

  function unclear(happenings: readonly Happening[]): Made {
    const { update, value } = unclearUpdate(world, { at, happenings });
    const fact = { pattern: value.pattern, in: ['inbox/*/review.md'], times: 1 };
    return { update, expect: { inbox: 'new', facts: [fact] } };
  }
}

/** Every project that nothing was said of, and the profile, unless it was about the person. */
function untouchedBy({ asleep, own, tasks }: World, projects: readonly Project[]): string[] {
  const isQuiet = ({ slots, tasks: list }: Project): boolean =>
    [...slots, ...list].every(({ isTold }) => !isTold);
  return [
    ...[asleep, ...projects.filter(isQuiet)].map(({ slug }) => `projects/${slug}/**`),
    ...(own.some(({ isTold }) => isTold) ? [] : ['profile.md']),
    ...(tasks.some(({ isTold }) => isTold) ? [] : ['tasks.md']),
  ];
}
