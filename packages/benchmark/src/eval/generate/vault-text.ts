import { capitalize } from './phrasebook.ts';
import type { Phrasebook } from './phrasebook.ts';
import type { Day } from './calendar.ts';
import type { Project, Fact, Task, World } from './world.ts';

/** Paths within the vault. */
export const vaultPaths = {
  state: ({ slug }: Project): string => `projects/${slug}/state.md`,
  tasks: (project: Project | null): string =>
    project === null ? 'tasks.md' : `projects/${project.slug}/tasks.md`,
  slot: ({ project }: Fact): string => (project === null ? 'profile.md' : vaultPaths.state(project)),
};

export function formatFact({ name, value }: Fact, { words }: Phrasebook): string {
  return `${name}${words.colon}${value?.shown}.`;
}

export function sectionHeading({ kind }: Pick<Fact, 'kind'>, { words }: Phrasebook): string {
  const headings = {
    figure: words.figures,
    meeting: words.meetings,
    contact: words.contacts,
    choice: words.choices,
    own: words.habits,
  };
  return `## ${headings[kind]}`;
}

export function formatTask(
  { project, kind, added, priority, deadline }: Task,
  { words }: Phrasebook,
): string {
  return [
    `# ${capitalize(kind.todo)}`,
    `status: ${words.todo} | prio: ${priority} | ${words.added}: ${added} | ${words.project}: ${project?.slug ?? '—'}`,
    `deadline: ${deadline}`,
  ].join('\n');
}

/** The vault on the day before the first input. */
export function initialVault(world: World): Map<string, string> {
  const { book, start, activeProjects, asleep, own, tasks } = world;
  const { words } = book;
  const files = new Map<string, string>();
  const put = (path: string, body: string): void =>
    void files.set(path, `${stamps(start)}\n${body.trimEnd()}\n`);
  const projects = [...activeProjects, asleep];
  put('overview.md', overviewText(world, projects));
  const habits = own.flatMap((slot) => (slot.value === null ? [] : [formatFact(slot, book)]));
  put(
    'profile.md',
    [
      `# ${words.profile}`,
      `## ${words.who}\n${words.whoText.join('\n')}`,
      `## ${words.habits}\n${habits.join('\n')}`,
    ].join('\n\n'),
  );
  put('tasks.md', tasks.map((task) => formatTask(task, book)).join('\n\n'));
  const begun = projects.map(({ title }) => `## ${title}${words.colon}${words.begun}`);
  put('changelog.md', [`# ${start}`, ...begun].join('\n\n'));
  for (const project of projects)
    for (const [name, body] of projectFiles(project, book, start))
      put(`projects/${project.slug}/${name}`, body);
  return files;
}

function overviewText({ book: { words } }: World, projects: readonly Project[]): string {
  const lines = projects.map((project) => overviewLine(project, words));
  return [
    `# ${words.overview}`,
    `## ${words.moment}\n\n${words.momentText.join('\n')}`,
    `## ${words.projects}\n\n${lines.join('\n')}`,
  ].join('\n\n');
}

export function overviewLine({ title, slug, about }: Project, { colon }: Phrasebook['words']): string {
  return `- [${title}](projects/${slug}/description.md)${colon}${about}`;
}

/** The four files that every project has. */
export function projectFiles(project: Project, book: Phrasebook, day: Day): [string, string][] {
  const { words } = book;
  const { title, about, kind, slots, tasks } = project;
  const sections = (['figure', 'meeting', 'contact', 'choice'] as const).map((each) => {
    const ofKind = slots.filter((slot) => slot.kind === each);
    const lines = ofKind.flatMap((slot) => (slot.value === null ? [] : [formatFact(slot, book)]));
    return [sectionHeading({ kind: each }, book), ...lines].join('\n');
  });
  return [
    ['description.md', `# ${title}\n\n${about}\n\n## ${words.frame}\n${kind.frame.join('\n')}`],
    ['state.md', [`## ${words.status}\n${words.active}`, ...sections].join('\n\n')],
    ['tasks.md', tasks.map((task) => formatTask(task, book)).join('\n\n')],
    ['changelog.md', `# ${day}\n\n## ${words.begun}\n${about}`],
  ];
}

function stamps(day: Day): string {
  return `---\ncreated: ${day}T09:00:00\nupdated: ${day}T09:00:00\n---\n`;
}
