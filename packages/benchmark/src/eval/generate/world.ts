import { capitalised, fill, readOption } from './book.ts';
import type { Book, ProjectKind, TaskKind } from './book.ts';
import { addDays } from './calendar.ts';
import type { Day } from './calendar.ts';
import { createNames } from './names.ts';
import type { Names } from './names.ts';
import type { Random } from './random.ts';
import { createValues } from './values.ts';
import type { Value, Values } from './values.ts';

/** One thing that is so at a time: a line of a state file, or of the profile. */
export type Slot = {
  kind: 'figure' | 'meeting' | 'contact' | 'choice' | 'own';
  /** Null for what is about the person. */
  project: Project | null;
  /** As it is said. */
  label: string;
  /** As it is written. */
  name: string;
  options: readonly string[];
  value: Value | null;
  /** What it was before, the latest last. */
  outdated: Value[];
  /** Whether the vault knew of it before the first input. */
  isKnownFirst: boolean;
  /** Whether any input has spoken of it. */
  isTold: boolean;
  /** The day of the words that it is known from. */
  toldOn: Day;
  /** Whether one has said what was known already. */
  isRepeated: boolean;
};

export type Task = {
  project: Project | null;
  kind: TaskKind;
  added: Day;
  priority: string;
  deadline: Day;
  /** Deadlines it had before. */
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
  slots: Slot[];
  tasks: Task[];
  /** Kinds of tasks that are not there yet. */
  spare: TaskKind[];
};

export type World = {
  book: Book;
  random: Random;
  names: Names;
  values: Values;
  /** The day before the first input. */
  start: Day;
  live: Project[];
  /** Of which nothing is ever said. */
  asleep: Project;
  /** Which begins later. */
  future: Project;
  own: Slot[];
  tasks: Task[];
  spare: TaskKind[];
};

/** A person with four projects, and one to come, on a day of the next years. */
export function createWorld(book: Book, random: Random): World {
  const names = createNames(random);
  const start = addDays('2026-01-05', random.between(0, 700));
  const values = createValues(book, random, names);
  const projects = random.shuffled(book.kinds).map((kind) => createProject(kind, names.place()));
  const [first, second, third, asleep, future] = projects;
  if (!first || !second || !third || !asleep || !future)
    throw new Error('a book needs five kinds of projects');
  const live = [first, second, third];
  for (const project of projects) project.spare = random.shuffled(project.spare);
  for (const project of [...live, asleep]) settle(project, { random, values, start });
  const own = book.own.map(({ said, line }) => createSlot('own', null, said, line));
  const [known] = own;
  if (known !== undefined) known.value = values.amount(false);
  const [task, ...spare] = random.shuffled(book.tasks);
  const tasks = task === undefined ? [] : [createTask(task, null, { random, book, start })];
  for (const project of [...live, asleep])
    project.tasks = project.spare
      .splice(0, 2)
      .map((kind) => createTask(kind, project, { random, book, start }));
  return { book, random, names, values, start, live, asleep, future, own, tasks, spare };
}

function createProject(kind: ProjectKind, place: string): Project {
  const project: Project = {
    kind,
    place,
    title: fill(kind.title, { place }),
    slug: fill(kind.slug, { place: place.toLowerCase() }),
    about: fill(kind.about, { place }),
    slots: [],
    tasks: [],
    spare: [...kind.tasks],
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

function createSlot(kind: Slot['kind'], project: Project | null, label: string, line?: string): Slot {
  return {
    kind,
    project,
    label,
    name: line ?? capitalised(label),
    options: [],
    value: null,
    outdated: [],
    isKnownFirst: false,
    isTold: false,
    toldOn: '',
    isRepeated: false,
  };
}

/** Some of what there is to know about a project is known from the beginning. */
function settle(
  project: Project,
  { random, values, start }: Pick<World, 'random' | 'values' | 'start'>,
): void {
  const known = { figure: 2, meeting: 1, contact: 1, choice: 1, own: 0 };
  for (const slot of random.shuffled(project.slots)) {
    if (known[slot.kind] === 0) continue;
    known[slot.kind] -= 1;
    slot.value = freshValue(slot, values, start);
    slot.isKnownFirst = true;
  }
}

/** A value that this thing never had. For an appointment, days after that day. */
export function freshValue(slot: Slot, values: Values, after: Day, within?: [number, number]): Value {
  switch (slot.kind) {
    case 'figure':
    case 'own':
      return values.amount(slot.project?.kind.sums.includes(slot.label) ?? false);
    case 'meeting':
      return values.meeting(after, within);
    case 'contact':
      return values.person();
    case 'choice':
      return values.option(unused(slot));
  }
  return slot.kind satisfies never;
}

export function unused({ options, value, outdated }: Slot): string[] {
  const had = new Set([...outdated, ...(value === null ? [] : [value])].map(({ shown }) => shown));
  return options.filter((option) => !had.has(readOption(option).value));
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
