import { capitalised, fill } from './book.ts';
import type { Day } from './calendar.ts';
import { wordPattern } from './values.ts';
import { lineOf, placeOf } from './vault-lines.ts';
import type { Project, Slot, Task, World } from './world.ts';

type Wanted = { pattern: string };

/** What must be so once everything was filed, in the words of a scenario. */
export type GeneratedExpectation = {
  facts: (Wanted & { in: string[]; times?: number })[];
  gone: (Wanted & { in: string })[];
  kept: { text: string; in: string }[];
  untouched: string[];
  inbox: 'none' | 'new';
  changelogEntries?: number;
  allowed: string[];
  questions: { question: string; evidence: Wanted[]; outdated: Wanted[] }[];
};

type Asked = { expected: GeneratedExpectation['questions'][number]; path: string };

/** The facts, and what must be gone: all that inputs spoke of, as the world is now. */
export function expectWorld(world: World, today: Day): Pick<GeneratedExpectation, 'facts' | 'gone' | 'kept'> {
  const projects = [...world.live];
  const slots = [...projects.flatMap((project) => project.slots), ...world.own].filter(
    ({ value }) => value !== null,
  );
  const tasks = [...projects.flatMap((project) => project.tasks), ...world.tasks];
  const told = slots.filter(({ isTold }) => isTold);
  const toldTasks = tasks.filter(({ isTold }) => isTold);
  return {
    facts: [...told.flatMap((slot) => slotFacts(slot, today)), ...toldTasks.flatMap(taskFacts)],
    gone: [...told.flatMap(slotGone), ...toldTasks.flatMap(taskGone)],
    kept: [
      ...slots
        .filter((slot) => !slot.isTold && !isOver(slot, today))
        .map((slot) => ({ text: lineOf(slot, world.book), in: placeOf.slot(slot) })),
      ...tasks
        .filter(({ isTold }) => !isTold)
        .map(({ kind, project }) => ({ text: `# ${capitalised(kind.todo)}`, in: placeOf.tasks(project) })),
      ...projects
        .filter((project) => project !== world.future)
        .flatMap((project) => project.kind.frame.map((text) => ({ text, in: description(project) }))),
    ],
  };
}

/** Where a careful reader of the rules may put it. */
function placesOf({ project }: Slot): string {
  return project === null ? 'profile.md' : `projects/${project.slug}/{state,description,tasks}.md`;
}

function slotFacts(slot: Slot, today: Day): GeneratedExpectation['facts'] {
  const { kind, project, value, outdated } = slot;
  if (value === null) return [];
  const history =
    isOver(slot, today) && project !== null ? [`projects/${project.slug}/*.md`, 'changelog.md'] : [];
  const times = slot.isRepeated && kind !== 'meeting' ? 1 : 2;
  const fact = { pattern: value.pattern, in: [placesOf(slot), ...history], times };
  if (kind !== 'choice') return [fact];
  // Of the first of them the vault may know no more than the state.
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

/** An appointment that is over may have become history. */
function isOver({ value }: Slot, today: Day): boolean {
  return value !== null && value.day !== null && value.day <= today;
}

function slotGone(slot: Slot): GeneratedExpectation['gone'] {
  return slot.outdated.map(({ pattern }) => ({ pattern, in: placesOf(slot) }));
}

function taskFacts({ project, kind, state, deadline }: Task): GeneratedExpectation['facts'] {
  if (state === 'done') return [];
  const pattern = `${wordPattern(kind.key)}[^#]*${deadline}`;
  return [{ pattern, in: [placeOf.tasks(project)], times: 2 }];
}

function taskGone({ project, kind, state, outdated }: Task): GeneratedExpectation['gone'] {
  const path = placeOf.tasks(project);
  if (state === 'done') return [{ pattern: wordPattern(kind.key), in: path }];
  return outdated.map((day) => ({ pattern: `${wordPattern(kind.key)}[^#]*deadline[^#]*${day}`, in: path }));
}

/** Questions whose answer has changed come first. */
export function askAbout(world: World, today: Day, most: number): Asked[] {
  const { random, live, tasks } = world;
  const slots = random
    .shuffled(live.flatMap((project) => project.slots))
    .filter((slot) => slot.isTold && slot.value !== null && !isOver(slot, today));
  const open = [...live.flatMap((project) => project.tasks), ...tasks].filter(
    ({ isTold, state, outdated }) => isTold && state === 'open' && outdated.length > 0,
  );
  const asked = [
    ...open.slice(0, 2).map((task) => askTask(world, task)),
    ...slots.toSorted((a, b) => b.outdated.length - a.outdated.length).map((slot) => askSlot(world, slot)),
  ];
  return asked.slice(0, most);
}

function askSlot({ book, random }: World, slot: Slot): Asked {
  const { kind, label, value, outdated } = slot;
  const question = fill(random.pick(book.asks[kind === 'own' ? 'figure' : kind]), { label });
  const old = outdated.map(({ pattern }) => ({ pattern }));
  return {
    expected: { question, evidence: [{ pattern: value?.pattern ?? '' }], outdated: old },
    path: `vault/${placeOf.slot(slot)}`,
  };
}

function askTask({ book, random }: World, { project, kind, deadline, outdated }: Task): Asked {
  const question = fill(random.pick(book.asks.task), { todo: kind.todo });
  const old = outdated.map((day) => ({ pattern: `deadline[^#]*${day}` }));
  return {
    expected: { question, evidence: [{ pattern: deadline }], outdated: old },
    path: `vault/${placeOf.tasks(project)}`,
  };
}

function description({ slug }: Project): string {
  return `projects/${slug}/description.md`;
}
