import { capitalize, fillTemplate, parseOption } from './phrasebook.ts';
import type { Phrasebook, ProjectKind, TaskKind } from './phrasebook.ts';
import { addDays } from './calendar.ts';
import type { Day } from './calendar.ts';
import { createNames } from './names.ts';
import type { Names } from './names.ts';
import type { Random } from './random.ts';
import { createValues } from './values.ts';
import type { GeneratedValue, ValueGenerator } from './values.ts';

/** One fact with a current value: a line of a state file, or of the profile. */
export type Fact = {
  kind: 'figure' | 'meeting' | 'contact' | 'choice' | 'own';
  /** Null for facts about the user. */
  project: Project | null;
  /** The phrase used in inputs. */
  label: string;
  /** The phrase used in files. */
  name: string;
  options: readonly string[];
  value: GeneratedValue | null;
  /** Previous values, the latest last. */
  outdated: GeneratedValue[];
  /** Whether the fact is in the initial vault. */
  isKnownFirst: boolean;
  /** Whether an input has mentioned it. */
  isTold: boolean;
  /** The day of the statement that set the current value. */
  toldOn: Day;
  /** Whether an input has repeated the known value. */
  isRepeated: boolean;
};

export type Task = {
  project: Project | null;
  kind: TaskKind;
  added: Day;
  priority: string;
  deadline: Day;
  /** Previous deadlines. */
  outdated: Day[];
  state: 'open' | 'done';
  isTold: boolean;
};

export type Project = {
  kind: ProjectKind;
  place: string;
  title: string;
  slug: string;
  about: string;
  slots: Fact[];
  tasks: Task[];
  /** Kinds of tasks that are not used yet. */
  unusedTasks: TaskKind[];
};

export type World = {
  book: Phrasebook;
  random: Random;
  names: Names;
  values: ValueGenerator;
  /** The day before the first input. */
  start: Day;
  activeProjects: Project[];
  /** A project that no input mentions. */
  asleep: Project;
  /** A project that starts later. */
  future: Project;
  own: Fact[];
  tasks: Task[];
  unusedTasks: TaskKind[];
};

/** Creates a user with four current projects and a future one. The start is a random day in 2026 or 2027. */
export function createWorld(book: Phrasebook, random: Random): World {
  const names = createNames(random);
  const start = addDays('2026-01-05', random.between(0, 700));
  const values = createValues(book, random, names);
  const projects = random.shuffled(book.kinds).map((kind) => createProject(kind, names.place()));
  const [first, second, third, asleep, future] = projects;
  if (!first || !second || !third || !asleep || !future)
    throw new Error('a phrasebook needs five kinds of projects');
  const activeProjects = [first, second, third];
  for (const project of projects) project.unusedTasks = random.shuffled(project.unusedTasks);
  for (const project of [...activeProjects, asleep]) setInitialFacts(project, { random, values, start });
  const own = book.own.map(({ said, line }) => createSlot('own', null, said, line));
  const [known] = own;
  if (known !== undefined) known.value = values.amount(false);
  const [task, ...unusedTasks] = random.shuffled(book.tasks);
  const tasks = task === undefined ? [] : [createTask(task, null, { random, book, start })];
  for (const project of [...activeProjects, asleep])
    project.tasks = project.unusedTasks
      .splice(0, 2)
      .map((kind) => createTask(kind, project, { random, book, start }));
  return { book, random, names, values, start, activeProjects, asleep, future, own, tasks, unusedTasks };
}

function createProject(kind: ProjectKind, place: string): Project {
  const project: Project = {
    kind,
    place,
    title: fillTemplate(kind.title, { place }),
    slug: fillTemplate(kind.slug, { place: place.toLowerCase() }),
    about: fillTemplate(kind.about, { place }),
    slots: [],
    tasks: [],
    unusedTasks: [...kind.tasks],
  };
  const labels = {
    figure: [...kind.figures, ...kind.sums],
    meeting: kind.meetings,
    contact: kind.contacts,
  } as const;
  for (const each of ['figure', 'meeting', 'contact'] as const)
    for (const label of labels[each]) project.slots.push(createSlot(each, project, label));
  for (const { label, options } of kind.choices)
    project.slots.push({ ...createSlot('choice', project, label), options });
  return project;
}

function createSlot(kind: Fact['kind'], project: Project | null, label: string, line?: string): Fact {
  return {
    kind,
    project,
    label,
    name: line ?? capitalize(label),
    options: [],
    value: null,
    outdated: [],
    isKnownFirst: false,
    isTold: false,
    toldOn: '',
    isRepeated: false,
  };
}

/** Sets the facts of a project that are known initially. */
function setInitialFacts(
  project: Project,
  { random, values, start }: Pick<World, 'random' | 'values' | 'start'>,
): void {
  const known = { figure: 2, meeting: 1, contact: 1, choice: 1, own: 0 };
  for (const slot of random.shuffled(project.slots)) {
    if (known[slot.kind] === 0) continue;
    known[slot.kind] -= 1;
    slot.value = newValue(slot, values, start);
    slot.isKnownFirst = true;
  }
}

/** Generates a value that this fact never had. A meeting is on a day after `after`. */
export function newValue(
  slot: Fact,
  values: ValueGenerator,
  after: Day,
  within?: [number, number],
): GeneratedValue {
  switch (slot.kind) {
    case 'figure':
    case 'own':
      return values.amount(slot.project?.kind.sums.includes(slot.label) ?? false);
    case 'meeting':
      return values.meeting(after, within);
    case 'contact':
      return values.person();
    case 'choice':
      return values.option(unusedOptions(slot));
  }
  return slot.kind satisfies never;
}

export function unusedOptions({ options, value, outdated }: Fact): string[] {
  const had = new Set([...outdated, ...(value === null ? [] : [value])].map(({ shown }) => shown));
  return options.filter((option) => !had.has(parseOption(option).value));
}

export function createTask(
  kind: TaskKind,
  project: Project | null,
  { random, book, start }: Pick<World, 'random' | 'book' | 'start'>,
): Task {
  const [added, deadline] = [addDays(start, -random.between(2, 9)), addDays(start, random.between(14, 80))];
  const priority = random.pick(book.words.priorities);
  return { project, kind, added, priority, deadline, outdated: [], state: 'open', isTold: false };
}
