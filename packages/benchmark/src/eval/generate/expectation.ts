import { capitalize, fillTemplate } from './phrasebook.ts';
import type { Day } from './calendar.ts';
import { wordPattern } from './values.ts';
import { formatFact, vaultPaths } from './vault-text.ts';
import type { Project, Fact, Task, World } from './world.ts';

type Wanted = { pattern: string };

/** What must be true after all inputs were filed, in the format of a scenario. */
export type GeneratedExpectation = {
  facts: (Wanted & { in: string[]; times?: number })[];
  gone: (Wanted & { in: string })[];
  kept: { text: string; in: string }[];
  untouched: string[];
  /** Left out if either is right. */
  inbox?: 'none' | 'new' | undefined;
  secrets?: string[];
  changelogEntries?: number;
  allowed: string[];
  questions: { question: string; evidence: Wanted[]; outdated: Wanted[] }[];
};

type GeneratedQuestion = { expected: GeneratedExpectation['questions'][number]; path: string };

/** The facts that must exist and those that must be gone, for everything the inputs mentioned. */
export function expectedState(
  world: World,
  today: Day,
): Pick<GeneratedExpectation, 'facts' | 'gone' | 'kept'> {
  const projects = [...world.activeProjects];
  const slots = [...projects.flatMap((project) => project.slots), ...world.own].filter(
    ({ value }) => value !== null,
  );
  const tasks = [...projects.flatMap((project) => project.tasks), ...world.tasks];
  const stated = slots.filter(({ isTold }) => isTold);
  const statedTasks = tasks.filter(({ isTold }) => isTold);
  return {
    facts: [...stated.flatMap((slot) => expectedFacts(slot, today)), ...statedTasks.flatMap(taskFacts)],
    gone: [...stated.flatMap(removedFacts), ...statedTasks.flatMap(removedTasks)],
    kept: [
      ...slots
        .filter((slot) => !slot.isTold && !isPast(slot, today))
        .map((slot) => ({ text: formatFact(slot, world.book), in: vaultPaths.slot(slot) })),
      ...tasks
        .filter(({ isTold }) => !isTold)
        .map(({ kind, project }) => ({ text: `# ${capitalize(kind.todo)}`, in: vaultPaths.tasks(project) })),
      ...projects
        .filter((project) => project !== world.future)
        .flatMap((project) => project.kind.frame.map((text) => ({ text, in: description(project) }))),
    ],
  };
}

/** The files in which the rules allow this fact. */
function allowedPaths({ project }: Fact): string {
  return project === null ? 'profile.md' : `projects/${project.slug}/{state,description,tasks}.md`;
}

function expectedFacts(slot: Fact, today: Day): GeneratedExpectation['facts'] {
  const { kind, project, value, outdated } = slot;
  if (value === null) return [];
  const history =
    isPast(slot, today) && project !== null ? [`projects/${project.slug}/*.md`, 'changelog.md'] : [];
  const times = slot.isRepeated && kind !== 'meeting' ? 1 : 2;
  const fact = { pattern: value.pattern, in: [allowedPaths(slot), ...history], times };
  if (kind !== 'choice') return [fact];
  // The first value may exist only in the state file of the initial vault, without a decision in the changelog.
  const decided = [...outdated.slice(slot.isKnownFirst ? 1 : 0), value];
  return [
    fact,
    ...decided.map(({ pattern }) => ({
      pattern: `\\[(decision|décision|entscheidung)\\][^#]*${pattern}`,
      in: ['**/changelog.md'],
      times: 3,
    })),
  ];
}

/** A past appointment may have been moved to the history. */
function isPast({ value }: Fact, today: Day): boolean {
  return value !== null && value.day !== null && value.day <= today;
}

function removedFacts(slot: Fact): GeneratedExpectation['gone'] {
  return slot.outdated.map(({ pattern }) => ({ pattern, in: allowedPaths(slot) }));
}

function taskFacts({ project, kind, state, deadline }: Task): GeneratedExpectation['facts'] {
  if (state === 'done') return [];
  const pattern = `${wordPattern(kind.key)}[^#]*${deadline}`;
  return [{ pattern, in: [vaultPaths.tasks(project)], times: 2 }];
}

function removedTasks({ project, kind, state, outdated }: Task): GeneratedExpectation['gone'] {
  const path = vaultPaths.tasks(project);
  if (state === 'done') return [{ pattern: wordPattern(kind.key), in: path }];
  return outdated.map((day) => ({ pattern: `${wordPattern(kind.key)}[^#]*deadline[^#]*${day}`, in: path }));
}

/** Generates questions; those whose answer has changed come first. */
export function generateQuestions(world: World, today: Day, maxCount: number): GeneratedQuestion[] {
  const { random, activeProjects, tasks } = world;
  const slots = random
    .shuffled(activeProjects.flatMap((project) => project.slots))
    .filter((slot) => slot.isTold && slot.value !== null && !isPast(slot, today));
  const open = [...activeProjects.flatMap((project) => project.tasks), ...tasks].filter(
    ({ isTold, state, outdated }) => isTold && state === 'open' && outdated.length > 0,
  );
  const questions = [
    ...open.slice(0, 2).map((task) => askTask(world, task)),
    ...slots.toSorted((a, b) => b.outdated.length - a.outdated.length).map((slot) => askSlot(world, slot)),
  ];
  return questions.slice(0, maxCount);
}

function askSlot({ book, random }: World, slot: Fact): GeneratedQuestion {
  const { kind, label, value, outdated } = slot;
  const question = fillTemplate(random.pick(book.asks[kind === 'own' ? 'figure' : kind]), { label });
  const old = outdated.map(({ pattern }) => ({ pattern }));
  return {
    expected: { question, evidence: [{ pattern: value?.pattern ?? '' }], outdated: old },
    path: `vault/${vaultPaths.slot(slot)}`,
  };
}

function askTask({ book, random }: World, { project, kind, deadline, outdated }: Task): GeneratedQuestion {
  const question = fillTemplate(random.pick(book.asks.task), { todo: kind.todo });
  const old = outdated.map((day) => ({ pattern: `deadline[^#]*${day}` }));
  return {
    expected: { question, evidence: [{ pattern: deadline }], outdated: old },
    path: `vault/${vaultPaths.tasks(project)}`,
  };
}

function description({ slug }: Project): string {
  return `projects/${slug}/description.md`;
}
