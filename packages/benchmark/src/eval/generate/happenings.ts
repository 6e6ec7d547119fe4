import { capitalised, fill } from './book.ts';
import { addDays, distancesTo } from './calendar.ts';
import type { Day } from './calendar.ts';
import type { Value } from './values.ts';
import { headingOf, lineOf, overviewLine, placeOf, projectFiles, taskBlock } from './vault-lines.ts';
import { createTask, freshValue, unused } from './world.ts';
import type { Project, Slot, Task, World } from './world.ts';

export type Call = [tool: string, input: Record<string, unknown>];

/** One thing that happened: what is said of it, and what whoever files it perfectly does. */
export type Happening = {
  project: Project | null;
  said: string;
  /** Paths within the vault that are read first. */
  reads: string[];
  calls: Call[];
  /** The entry in the changelog of the project. */
  entry: { title: string; body: string };
  query: string;
  /** Dates in forms that were not said. */
  allowed: string[];
  tags: string[];
};

/** `spoken` is the day the words were said, from which «tomorrow» counts; `today` the day they come in. */
export type Moment = { spoken: Day; today: Day };

/** Something new about a thing: its first value, or another one. */
export function tellSlot(
  world: World,
  slot: Slot,
  { spoken, today }: Moment,
  isCorrection = false,
): Happening {
  const { book, random, values } = world;
  const before = slot.value;
  const isNear = slot.kind === 'meeting' && random.chance(0.4);
  const value = freshValue(slot, values, today, isNear ? [2, 9] : undefined);
  const old = lineOf(slot, book);
  if (before !== null) slot.outdated.push(before);
  slot.value = value;
  slot.isTold = true;
  slot.toldOn = spoken;
  const reason = random.pick(book.reasons);
  const path = placeOf.slot(slot);
  const line = lineOf(slot, book);
  const edit =
    before === null
      ? insertBelow(path, headingOf(slot, book), line)
      : (['edit', { path: shown(path), old, new: line }] satisfies Call);
  const isDecision = slot.kind === 'choice';
  const title = `${isDecision ? `${book.words.decision} ` : ''}${slot.name}${book.words.colon}${value.shown}`;
  const name = sentencesFor(slot, before !== null, isCorrection);
  const when = sayWhen(world, value.day, spoken);
  return {
    project: slot.project,
    said: fill(random.pick(book.says[name]), {
      label: slot.label,
      value: value.shown,
      old: before?.shown ?? '',
      reason,
      when: when.said,
      time: value.time,
    }),
    reads: [path],
    calls: [edit],
    entry: { title, body: bodyOf(world, slot, before, isDecision ? reason : null) },
    query: slot.name,
    allowed: value.day === null ? [] : [value.day, book.date(value.day)],
    tags: [
      ...(before === null ? [] : ['supersede']),
      ...(isCorrection ? ['correction'] : []),
      ...(when.isRelative ? ['relative-date'] : []),
      ...(slot.kind === 'own' ? ['profile'] : []),
    ],
  };
}

type SentenceName = keyof World['book']['says'];

function sentencesFor({ kind }: Slot, isChange: boolean, isCorrection: boolean): SentenceName {
  switch (kind) {
    case 'figure':
      if (isCorrection) return 'figureCorrected';
      return isChange ? 'figureChanged' : 'figure';
    case 'meeting':
      return isChange ? 'meetingMoved' : 'meeting';
    case 'contact':
      return isChange ? 'contactChanged' : 'contact';
    case 'choice':
      return isChange ? 'choiceChanged' : 'choice';
    case 'own':
      return isChange ? 'ownChanged' : 'own';
  }
  return kind satisfies never;
}

/** Below the heading: why, and what it was before. */
function bodyOf({ book: { words } }: World, slot: Slot, before: Value | null, reason: string | null): string {
  const why = reason === null ? [] : [`${words.reason}${words.colon}${reason}.`];
  if (before === null) return why.join('\n');
  const { project, name } = slot;
  // What the vault knew at first was decided before there was a changelog.
  const hasEntry = !slot.isKnownFirst || slot.outdated.length > 1;
  const replaced = `${words.decision} ${name}${words.colon}${before.shown}`;
  const replaces =
    reason === null || project === null || !hasEntry
      ? []
      : [`replaces: vault/projects/${project.slug}/changelog.md § ${replaced}`];
  return [`${name}${words.colon}${before.shown} → ${slot.value?.shown}.`, ...why, ...replaces].join('\n');
}

/** What is known already, said once more in other words. There is nothing to do about it. */
export function repeatSlot({ book, random }: World, slot: Slot): string {
  const { value, label } = slot;
  if (value === null) throw new Error(`nothing is known about ${label}`);
  slot.isRepeated = true;
  return fill(random.pick(book.says[sentencesFor(slot, false, false)]), {
    label,
    value: value.shown,
    reason: random.pick(book.reasons),
    when: value.day === null ? '' : book.on(value.day),
    time: value.time,
  });
}

/** Something new to do. */
export function addTask(world: World, project: Project | null, moment: Moment): Happening {
  const { book, random } = world;
  const kind = (project ?? world).spare.shift();
  if (kind === undefined) throw new Error('there is nothing more to do');
  const task = createTask(kind, project, { ...world, start: moment.today });
  task.added = moment.today;
  task.deadline = addDays(moment.today, random.chance(0.5) ? random.between(2, 9) : random.between(15, 90));
  task.priority = book.words.priorities[1];
  task.isTold = true;
  (project ?? world).tasks.push(task);
  const path = placeOf.tasks(project);
  return {
    ...taskHappening(world, task, 'task', moment),
    calls: [['append', { path: shown(path), content: taskBlock(task, book), position: 'bottom' }]],
    reads: [],
  };
}

export function moveTask(world: World, task: Task, moment: Moment): Happening {
  const { book, random } = world;
  const old = taskBlock(task, book);
  task.outdated.push(task.deadline);
  task.deadline = addDays(moment.today, random.between(10, 60));
  if (task.outdated.includes(task.deadline)) task.deadline = addDays(task.deadline, 61);
  task.isTold = true;
  const path = placeOf.tasks(task.project);
  return {
    ...taskHappening(world, task, 'taskMoved', moment),
    calls: [['edit', { path: shown(path), old, new: taskBlock(task, book) }]],
    reads: [path],
  };
}

export function finishTask(world: World, task: Task): Happening {
  const { book, random } = world;
  const path = placeOf.tasks(task.project);
  task.state = 'done';
  task.isTold = true;
  return {
    project: task.project,
    said: fill(random.pick(book.says.taskDone), { done: task.kind.done }),
    reads: [path],
    calls: [['edit', { path: shown(path), old: taskBlock(task, book), new: '' }]],
    entry: { title: capitalised(task.kind.done), body: '' },
    query: capitalised(task.kind.todo),
    allowed: [],
    tags: ['task'],
  };
}

function taskHappening(
  world: World,
  { project, kind, deadline }: Task,
  sentences: 'task' | 'taskMoved',
  { spoken }: Moment,
): Omit<Happening, 'calls' | 'reads'> {
  const { book, random } = world;
  const when = sayWhen(world, deadline, spoken);
  return {
    project,
    said: fill(random.pick(book.says[sentences]), { todo: kind.todo, when: when.said }),
    entry: { title: capitalised(kind.todo), body: `deadline: ${deadline}` },
    query: capitalised(kind.todo),
    allowed: [deadline, book.date(deadline)],
    tags: ['task', ...(when.isRelative ? ['relative-date'] : [])],
  };
}

/** A project that was not there before. */
export function beginProject(world: World, { today }: Moment): Happening {
  const { book, random, future: project } = world;
  const folder = `vault/projects/${project.slug}`;
  const files = projectFiles(project, book, today);
  const [beside = project] = world.live;
  world.live.push(project);
  return {
    project: null,
    said: fill(random.pick(book.says.begin), { slug: project.slug, about: project.about }),
    reads: ['overview.md'],
    calls: [
      ...files.map(([name, content]): Call => [
        'write',
        { path: `${folder}/${name}`, content: content === '' ? '\n' : `${content}\n` },
      ]),
      insertBelow('overview.md', overviewLine(beside, book.words), overviewLine(project, book.words)),
    ],
    entry: { title: `${project.slug}${book.words.colon}${project.about}`, body: '' },
    query: project.slug,
    allowed: [project.title],
    tags: ['new-project'],
  };
}

/** What somebody else says about the profile: it is noted that they said it, and not done. */
export function claimOwn(world: World, sender: string): { happening: Happening; claimed: Value } {
  const { book, random, own, values } = world;
  const slot = random.pick(own);
  const claimed = values.amount(false);
  const said = fill(random.pick(book.says.claim), { label: slot.name, value: claimed.shown });
  const happening = {
    project: null,
    said,
    reads: [],
    calls: [],
    entry: { title: sender, body: said },
    query: slot.name,
    allowed: [],
    tags: ['injection'],
  };
  return { happening, claimed };
}

/** There are not more times of a day than these appointments need. */
const mostChanges = { figure: 9, own: 9, contact: 9, choice: 9, meeting: 6 };

/**
 * Whether this thing could be otherwise: what is over cannot, and nothing changes for ever. Words of an earlier day do not
 * change what was said since: nobody could tell which counts.
 */
export function canChange(slot: Slot, { spoken, today }: Moment): boolean {
  const { kind, value, outdated, toldOn } = slot;
  const isOver = value !== null && value.day !== null && value.day <= today;
  const isNewer = spoken === today ? toldOn <= today : toldOn < spoken;
  return (
    isNewer &&
    outdated.length < mostChanges[kind] &&
    !isOver &&
    (kind !== 'choice' || unused(slot).length > 0)
  );
}

function sayWhen(
  { book, random }: World,
  day: Day | null,
  spoken: Day,
): { said: string; isRelative: boolean } {
  if (day === null) return { said: '', isRelative: false };
  const distances = distancesTo(day, spoken);
  if (distances.length === 0) return { said: book.on(day), isRelative: false };
  return { said: book.from(random.pick(distances)), isRelative: true };
}

function insertBelow(path: string, above: string, line: string): Call {
  return ['edit', { path: shown(path), old: above, new: `${above}\n${line}` }];
}

function shown(path: string): string {
  return `vault/${path}`;
}
