import { capitalize, fillTemplate } from './phrasebook.ts';
import { addDays, distancesTo } from './calendar.ts';
import type { Day } from './calendar.ts';
import type { GeneratedValue } from './values.ts';
import {
  sectionHeading,
  formatFact,
  overviewLine,
  vaultPaths,
  projectFiles,
  formatTask,
} from './vault-text.ts';
import { createTask, newValue, unusedOptions } from './world.ts';
import type { Project, Fact, Task, World } from './world.ts';

export type SolutionCall = [tool: string, input: Record<string, unknown>];

/** One event: the sentence that states it, and how the reference solution files it. */
export type VaultEvent = {
  project: Project | null;
  said: string;
  /** Paths within the vault that the solution reads first. */
  reads: string[];
  calls: SolutionCall[];
  /** The entry in the changelog of the project. */
  entry: { title: string; body: string };
  query: string;
  /** Dates and titles that the solution may write although the input does not contain them. */
  allowed: string[];
  tags: string[];
};

/** `spoken` is the day of the statement, to which “tomorrow” is relative; `today` is the day on which it is received. */
export type EventDates = { spoken: Day; today: Day };

/** States a fact, for the first time or with a changed value. */
export function stateFact(
  world: World,
  slot: Fact,
  { spoken, today }: EventDates,
  isCorrection = false,
): VaultEvent {
  const { book, random, values } = world;
  const before = slot.value;
  const isNear = slot.kind === 'meeting' && random.chance(0.4);
  const value = newValue(slot, values, today, isNear ? [2, 9] : undefined);
  const old = formatFact(slot, book);
  if (before !== null) slot.outdated.push(before);
  slot.value = value;
  slot.isTold = true;
  slot.toldOn = spoken;
  const reason = random.pick(book.reasons);
  const path = vaultPaths.slot(slot);
  const line = formatFact(slot, book);
  const edit =
    before === null
      ? insertBelow(path, sectionHeading(slot, book), line)
      : (['edit', { path: shown(path), old, new: line }] satisfies SolutionCall);
  const isDecision = slot.kind === 'choice';
  const title = `${isDecision ? `${book.words.decision} ` : ''}${slot.name}${book.words.colon}${value.shown}`;
  const name = sentencesFor(slot, before !== null, isCorrection);
  const when = formatWhen(world, value.day, spoken);
  return {
    project: slot.project,
    said: fillTemplate(random.pick(book.says[name]), {
      label: slot.label,
      value: value.shown,
      old: before?.shown ?? '',
      reason,
      when: when.said,
      time: value.time,
    }),
    reads: [path],
    calls: [edit],
    entry: { title, body: changelogBody(world, slot, before, isDecision ? reason : null) },
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

function sentencesFor({ kind }: Fact, isChange: boolean, isCorrection: boolean): SentenceName {
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

/** The body of the changelog entry: the reason and the previous value. */
function changelogBody(
  { book: { words } }: World,
  slot: Fact,
  before: GeneratedValue | null,
  reason: string | null,
): string {
  const why = reason === null ? [] : [`${words.reason}${words.colon}${reason}.`];
  if (before === null) return why.join('\n');
  const { project, name } = slot;
  // The first value of a fact in the initial vault has no entry: it is older than the changelog.
  const hasEntry = !slot.isKnownFirst || slot.outdated.length > 1;
  const replaced = `${words.decision} ${name}${words.colon}${before.shown}`;
  const replaces =
    reason === null || project === null || !hasEntry
      ? []
      : [`replaces: vault/projects/${project.slug}/changelog.md § ${replaced}`];
  return [`${name}${words.colon}${before.shown} → ${slot.value?.shown}.`, ...why, ...replaces].join('\n');
}

/** Restates a known fact in other words. There is nothing to file. */
export function restateFact({ book, random }: World, slot: Fact): string {
  const { value, label } = slot;
  if (value === null) throw new Error(`${label} has no value yet`);
  slot.isRepeated = true;
  return fillTemplate(random.pick(book.says[sentencesFor(slot, false, false)]), {
    label,
    value: value.shown,
    reason: random.pick(book.reasons),
    when: value.day === null ? '' : book.on(value.day),
    time: value.time,
  });
}

/** Adds a task. */
export function addTask(world: World, project: Project | null, moment: EventDates): VaultEvent {
  const { book, random } = world;
  const kind = (project ?? world).unusedTasks.shift();
  if (kind === undefined) throw new Error('no unused tasks are left');
  const task = createTask(kind, project, { ...world, start: moment.today });
  task.added = moment.today;
  task.deadline = addDays(moment.today, random.chance(0.5) ? random.between(2, 9) : random.between(15, 90));
  task.priority = book.words.priorities[1];
  task.isTold = true;
  (project ?? world).tasks.push(task);
  const path = vaultPaths.tasks(project);
  return {
    ...taskHappening(world, task, 'task', moment),
    calls: [['append', { path: shown(path), content: formatTask(task, book), position: 'bottom' }]],
    reads: [],
  };
}

export function moveTask(world: World, task: Task, moment: EventDates): VaultEvent {
  const { book, random } = world;
  const old = formatTask(task, book);
  task.outdated.push(task.deadline);
  task.deadline = addDays(moment.today, random.between(10, 60));
  if (task.outdated.includes(task.deadline)) task.deadline = addDays(task.deadline, 61);
  task.isTold = true;
  const path = vaultPaths.tasks(task.project);
  return {
    ...taskHappening(world, task, 'taskMoved', moment),
    calls: [['edit', { path: shown(path), old, new: formatTask(task, book) }]],
    reads: [path],
  };
}

export function finishTask(world: World, task: Task): VaultEvent {
  const { book, random } = world;
  const path = vaultPaths.tasks(task.project);
  task.state = 'done';
  task.isTold = true;
  return {
    project: task.project,
    said: fillTemplate(random.pick(book.says.taskDone), { done: task.kind.done }),
    reads: [path],
    calls: [['edit', { path: shown(path), old: formatTask(task, book), new: '' }]],
    entry: { title: capitalize(task.kind.done), body: '' },
    query: capitalize(task.kind.todo),
    allowed: [],
    tags: ['task'],
  };
}

function taskHappening(
  world: World,
  { project, kind, deadline }: Task,
  sentences: 'task' | 'taskMoved',
  { spoken }: EventDates,
): Omit<VaultEvent, 'calls' | 'reads'> {
  const { book, random } = world;
  const when = formatWhen(world, deadline, spoken);
  return {
    project,
    said: fillTemplate(random.pick(book.says[sentences]), { todo: kind.todo, when: when.said }),
    entry: { title: capitalize(kind.todo), body: `deadline: ${deadline}` },
    query: capitalize(kind.todo),
    allowed: [deadline, book.date(deadline)],
    tags: ['task', ...(when.isRelative ? ['relative-date'] : [])],
  };
}

/** Starts a new project. */
export function startProject(world: World, { today }: EventDates): VaultEvent {
  const { book, random, future: project } = world;
  const folder = `vault/projects/${project.slug}`;
  const files = projectFiles(project, book, today);
  const [beside = project] = world.activeProjects;
  world.activeProjects.push(project);
  return {
    project: null,
    said: fillTemplate(random.pick(book.says.begin), { slug: project.slug, about: project.about }),
    reads: ['overview.md'],
    calls: [
      ...files.map(([name, content]): SolutionCall => [
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

/** A third party's claim about the user: the solution records it in the changelog, but does not change the profile. */
export function claimProfileFact(
  world: World,
  sender: string,
): { happening: VaultEvent; claimed: GeneratedValue } {
  const { book, random, own, values } = world;
  const slot = random.pick(own);
  const claimed = values.amount(false);
  const said = fillTemplate(random.pick(book.says.claim), { label: slot.name, value: claimed.shown });
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

/** The maximum number of changes per fact; it is limited because there are few distinct times of day to choose from. */
const maxChangesByKind = { figure: 9, own: 9, contact: 9, choice: 9, meeting: 6 };

/**
 * Whether a fact can change: past appointments cannot, and the number of changes is limited. A statement made on an
 * earlier day cannot change a newer one, because it would be unclear which of them counts.
 */
export function canChangeFact(slot: Fact, { spoken, today }: EventDates): boolean {
  const { kind, value, outdated, toldOn } = slot;
  const isOver = value !== null && value.day !== null && value.day <= today;
  const isNewer = spoken === today ? toldOn <= today : toldOn < spoken;
  return (
    isNewer &&
    outdated.length < maxChangesByKind[kind] &&
    !isOver &&
    (kind !== 'choice' || unusedOptions(slot).length > 0)
  );
}

function formatWhen(
  { book, random }: World,
  day: Day | null,
  spoken: Day,
): { said: string; isRelative: boolean } {
  if (day === null) return { said: '', isRelative: false };
  const distances = distancesTo(day, spoken);
  if (distances.length === 0) return { said: book.on(day), isRelative: false };
  return { said: book.from(random.pick(distances)), isRelative: true };
}

function insertBelow(path: string, above: string, line: string): SolutionCall {
  return ['edit', { path: shown(path), old: above, new: `${above}\n${line}` }];
}

function shown(path: string): string {
  return `vault/${path}`;
}
