import {
  thirdPartyClaim,
  thirdPartyEmail,
  repeatUpdate,
  projectTranscript,
  noteBeforeForgetting,
  noteWithSecret,
} from './update-kinds.ts';
import type { Phrasebook } from './phrasebook.ts';
import { addDays } from './calendar.ts';
import { dayOf, composeKnownFact, composeNote, composeAmbiguous } from './compose-update.ts';
import type { GeneratedUpdate } from './compose-update.ts';
import { generateQuestions, expectedState } from './expectation.ts';
import type { GeneratedExpectation } from './expectation.ts';
import { addTask, startProject, finishTask, moveTask, restateFact, stateFact } from './events.ts';
import type { VaultEvent } from './events.ts';
import { createRandom } from './random.ts';
import { toScenario } from './scenario.ts';
import type { GeneratedScenario } from './scenario.ts';
import { changeableFacts, stateFacts } from './pick-events.ts';
import { formatFact, vaultPaths, initialVault } from './vault-text.ts';
import { createWorld } from './world.ts';
import type { Project, Fact, World } from './world.ts';

export const singleKinds = [
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
  'secret',
  'forget',
] as const;

type SingleScenario = { update: GeneratedUpdate; expect?: Partial<GeneratedExpectation>; forgotten?: Fact };

/** Generates a scenario with one input and its own vault. The kinds alternate, so that every set contains all of them. */
export function generateSingle(book: Phrasebook, seed: number, index: number): GeneratedScenario {
  const id = `${book.language}-generated-${seed}-${String(index + 1).padStart(3, '0')}`;
  const random = createRandom(id);
  const world = createWorld(book, random);
  const vault = initialVault(world);
  const at = `${addDays(world.start, random.between(1, 5))}T${random.between(10, 20)}:${random.between(10, 59)}:00`;
  const kind = singleKinds[index % singleKinds.length] ?? 'change';
  const projects = [...world.activeProjects];
  const { update, expect = {}, forgotten } = createSingle(kind, { world, vault, at, id });
  const { facts: moreFacts = [], gone: moreGone = [], ...more } = expect;
  const { facts, gone, kept } = expectedState(world, dayOf(at));
  const forgottenLine = forgotten === undefined ? null : formatFact(forgotten, book);
  const questions = generateQuestions(world, dayOf(at), 2);
  return toScenario({
    id,
    book,
    about: `One input of the kind «${kind}»; generated from seed ${seed}.`,
    vault,
    updates: [update],
    ...(forgotten === undefined ? {} : { forget: [forgotten.value?.shown ?? ''] }),
    expect: {
      facts: [...facts, ...moreFacts],
      gone: [...gone, ...moreGone],
      kept: kept.filter(({ text }) => text !== forgottenLine),
      untouched: untouchedPaths(world, projects).filter(
        (path) => !path.startsWith(`projects/${forgotten?.project?.slug}/`),
      ),
      inbox: 'none',
      changelogEntries: 1,
      questions: questions.map(({ expected }) => expected),
      ...more,
    },
    answers: questions.map(({ path }) => ({ files: [{ path }] })),
  });
}

type Parts = { world: World; vault: ReadonlyMap<string, string>; at: string; id: string };

function createSingle(kind: (typeof singleKinds)[number], { world, vault, at, id }: Parts): SingleScenario {
  const { random, activeProjects, tasks } = world;
  const moment = { spoken: dayOf(at), today: dayOf(at) };
  const known = (factKinds: readonly Fact['kind'][]): Fact =>
    random.pick(changeableFacts(activeProjects, factKinds, moment).filter(({ value }) => value !== null));
  const task = random.pick([...activeProjects.flatMap((project) => project.tasks), ...tasks]);
  switch (kind) {
    case 'change':
      return note([stateFact(world, known(['figure', 'meeting', 'contact']), moment)]);
    case 'mail':
      return { update: thirdPartyEmail(world, at) };
    case 'task':
      return note([addTask(world, random.pick([...activeProjects, null]), moment)]);
    case 'repeat':
      return { update: repeatUpdate(world, at) };
    case 'choice':
      return note([
        stateFact(world, random.pick(changeableFacts(activeProjects, ['choice'], moment)), moment),
      ]);
    case 'several':
      return note(
        activeProjects.flatMap((project) => stateFacts(world, project, random.between(1, 2), moment)),
      );
    case 'transcript': {
      const { update, fact } = projectTranscript(
        world,
        at,
        `${id}-transcript.md`,
        random.between(6_000, 16_000),
      );
      return { update, expect: { facts: [fact] } };
    }
    case 'finished':
      return note([finishTask(world, task)]);
    case 'correction':
      return note([stateFact(world, known(['figure']), moment, true)]);
    case 'moved':
      return note([moveTask(world, task, moment)]);
    case 'own':
      return note([stateFact(world, random.pick(world.own), moment)]);
    case 'claim': {
      const { update, gone } = thirdPartyClaim(world, at);
      return { update, expect: { gone: [gone] } };
    }
    case 'begin': {
      const happening = startProject(world, moment);
      const { slug, place } = world.future;
      const fact = { pattern: place, in: [`projects/${slug}/description.md`], times: 6 };
      return { ...note([happening]), expect: { facts: [fact] } };
    }
    case 'unclear':
      return unclear([]);
    case 'mixed':
      return unclear([stateFact(world, known(['figure', 'meeting', 'contact']), moment)]);
    case 'unchanged': {
      const slot = known(['figure', 'meeting', 'contact']);
      const path = vaultPaths.slot(slot);
      const line = (vault.get(path) ?? '').split('\n').indexOf(formatFact(slot, world.book)) + 1;
      const said = restateFact(world, slot);
      const update = composeKnownFact(world, { said, line, path, query: slot.name, at });
      return { update, expect: { changelogEntries: 0 } };
    }
    case 'secret': {
      const { update, secret } = noteWithSecret(world, at);
      return { update, expect: { secrets: [secret], inbox: undefined } };
    }
    case 'forget':
      return noteBeforeForgetting(world, at);
  }
  return kind satisfies never;

  function note(happenings: readonly VaultEvent[]): SingleScenario {
    return { update: composeNote(world, { at, happenings }) };
  }

  function unclear(happenings: readonly VaultEvent[]): SingleScenario {
    const { update, value } = composeAmbiguous(world, { at, happenings });
    const fact = { pattern: value.pattern, in: ['inbox/*/review.md'], times: 1 };
    return { update, expect: { inbox: 'new', facts: [fact] } };
  }
}

/**
 * The paths that must stay unchanged: projects that the input does not mention, and the profile and the task list if it
 * does not concern them.
 */
function untouchedPaths({ asleep, own, tasks }: World, projects: readonly Project[]): string[] {
  const isQuiet = ({ slots, tasks: list }: Project): boolean =>
    [...slots, ...list].every(({ isTold }) => !isTold);
  return [
    ...[asleep, ...projects.filter(isQuiet)].map(({ slug }) => `projects/${slug}/**`),
    ...(own.some(({ isTold }) => isTold) ? [] : ['profile.md']),
    ...(tasks.some(({ isTold }) => isTold) ? [] : ['tasks.md']),
  ];
}
