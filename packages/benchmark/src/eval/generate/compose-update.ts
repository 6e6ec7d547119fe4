import { fillTemplate } from './phrasebook.ts';
import type { Day } from './calendar.ts';
import { chatter } from './small-talk.ts';
import type { SolutionCall, VaultEvent } from './events.ts';
import { writeTranscript } from './transcript.ts';
import type { GeneratedValue } from './values.ts';
import type { Project, World } from './world.ts';

type Step = { calls: SolutionCall[] };

/** One input of a scenario, with the reference solution. */
export type GeneratedUpdate = {
  input: { text: string; at: string; said?: Day; files?: string[]; source?: 'other' };
  solution: { steps: Step[]; summary: string };
  allowed: string[];
  tags: string[];
  /** The attached files. */
  files: [name: string, text: string][];
};

type UpdateOptions = {
  happenings: readonly VaultEvent[];
  /** Statements that repeat known facts. */
  repeated?: readonly string[];
  at: string;
};

/** Composes a note by the user. */
export function composeNote(world: World, { happenings, repeated = [], at }: UpdateOptions): GeneratedUpdate {
  const { random } = world;
  const parts = random.shuffled([
    ...grouped(happenings).map((group) => sayTogether(world, group)),
    ...repeated,
  ]);
  const maybeTalk = (): string[] => (random.chance(0.25) ? [chatter(world)] : []);
  // Separate paragraphs for several projects make clear which statements belong together.
  const text = [...maybeTalk(), ...parts, ...maybeTalk()].join(parts.length > 1 ? '\n\n' : ' ');
  return {
    ...filed(world, happenings, at),
    input: { text, at },
    tags: [...tagsOf(happenings), ...(repeated.length > 0 ? ['duplicate'] : [])],
    files: [],
  };
}

/** Composes a note that only repeats a line of the vault; the reference solution names that line. */
export function composeKnownFact(
  world: World,
  { said, line, path, query, at }: { said: string; line: number; path: string; query: string; at: string },
): GeneratedUpdate {
  return {
    input: { text: said, at },
    solution: {
      steps: [searchAndRead([query], [path])],
      summary: `${world.book.words.known} vault/${path}:${line}`,
    },
    allowed: [],
    tags: ['duplicate', 'unchanged'],
    files: [],
  };
}

/** Composes an email from a third party, written some days ago. */
export function composeEmail(
  world: World,
  { happenings, at, said, sender }: UpdateOptions & { said: Day; sender: string },
): GeneratedUpdate {
  const { book, random } = world;
  const { mail, says } = book;
  const body = happenings.map((happening) => onProject(world, happening.project, happening.said));
  const text = [
    [
      `${mail.from}${book.words.colon}${sender}`,
      `${mail.date}${book.words.colon}${book.date(said)}`,
      `${mail.subject}${book.words.colon}${random.pick(mail.subjects)}`,
    ].join('\n'),
    random.pick(says.greeting),
    [...body, ...(random.chance(0.5) ? [chatter(world)] : [])].join('\n\n'),
    `${random.pick(says.goodbye)}\n${sender}`,
  ].join('\n\n');
  return {
    ...filed(world, happenings, at),
    input: { text, at, said, source: 'other' },
    tags: tagsOf(happenings),
    files: [],
  };
}

/** Composes a long conversation as a file, which belongs in the bucket of its project. */
export function composeTranscript(
  world: World,
  {
    happenings,
    at,
    said,
    name,
    size,
    project,
    speakers,
  }: UpdateOptions & {
    said: Day;
    name: string;
    size: number;
    project: Project;
    speakers: readonly string[];
  },
): GeneratedUpdate {
  const { book, random } = world;
  const sentences = happenings.map((happening) => happening.said);
  const text = fillTemplate(random.pick(book.says.keepTranscript), { title: project.title });
  const { solution, allowed } = filed(world, happenings, at);
  const move: SolutionCall = [
    'move',
    { from: `{{incoming}}/${name}`, to: `vault/projects/${project.slug}/bucket/${name}` },
  ];
  solution.steps.at(-1)?.calls.push(move);
  return {
    solution,
    allowed,
    input: { text, at, said, files: [name] },
    tags: [...tagsOf(happenings), 'transcript', ...(size > 20_000 ? ['long'] : [])],
    files: [[name, writeTranscript(world, { sentences, said, size, speakers })]],
  };
}

/** Composes a note with one ambiguous part: the reference solution asks about that part and files the rest. */
export function composeAmbiguous(
  world: World,
  { happenings, at }: UpdateOptions,
): { update: GeneratedUpdate; value: GeneratedValue } {
  const { book, random, values, names } = world;
  const [name, value] = [names.person(), values.amount(false)];
  const unclear = fillTemplate(random.pick(book.says.unclear), { name, value: value.shown });
  const { looked, found, proposal, question } = book.words.review;
  const review = [`# ${question}`, unclear, looked, found, proposal].join('\n\n');
  const askEvent: VaultEvent = {
    project: null,
    said: unclear,
    reads: [],
    calls: [['write', { path: '{{incoming}}/review.md', content: `${review}\n` }]],
    entry: { title: question, body: unclear },
    query: name,
    allowed: [],
    tags: ['inbox', ...(happenings.length === 0 ? [] : ['mixed'])],
  };
  return { update: composeNote(world, { at, happenings: [...happenings, askEvent] }), value };
}

/** Groups events by project. */
function grouped(happenings: readonly VaultEvent[]): VaultEvent[][] {
  return [...Map.groupBy(happenings, ({ project }) => project).values()];
}

/** Names the project for new facts, because nothing else says where they belong. */
function sayTogether(world: World, group: readonly VaultEvent[]): string {
  const text = group.map(({ said }) => said).join(' ');
  const isKnown = group.every(({ tags }) => tags.includes('supersede'));
  const project = group[0]?.project ?? null;
  return isKnown && world.random.chance(0.6) ? text : onProject(world, project, text);
}

function onProject({ book, random }: World, project: Project | null, text: string): string {
  return project === null
    ? text
    : fillTemplate(random.pick(book.says.onProject), { title: project.title, text });
}

function tagsOf(happenings: readonly VaultEvent[]): string[] {
  const projects = new Set(happenings.flatMap(({ project }) => project ?? []));
  return [...happenings.flatMap(({ tags }) => tags), ...(projects.size > 1 ? ['multi-project'] : [])];
}

/** The reference solution: read, then change everything in one step, with an entry in each changelog. */
function filed(
  { book }: World,
  happenings: readonly VaultEvent[],
  at: string,
): Pick<GeneratedUpdate, 'solution' | 'allowed'> {
  const entries = grouped(happenings).flatMap((group): SolutionCall[] => {
    const project = group[0]?.project ?? null;
    if (project === null) return [];
    const sections = group.map(
      ({ entry: { title, body } }) => `## ${title}${body === '' ? '' : `\n${body}`}`,
    );
    return [addOnTop(`vault/projects/${project.slug}/changelog.md`, dayOf(at), sections.join('\n\n'))];
  });
  const titles = happenings.map(({ project, entry }) =>
    project === null ? entry.title : `${entry.title} (${project.title})`,
  );
  const [title = '', ...more] = titles;
  const own = happenings.flatMap(({ project, entry }) =>
    project === null && entry.body !== '' ? [entry.body] : [],
  );
  const section = [`## ${title}`, ...own, ...more.map((each) => `- ${each}`)].join('\n');
  const calls = [
    ...happenings.flatMap((happening) => happening.calls),
    ...entries,
    addOnTop('vault/changelog.md', dayOf(at), section),
  ];
  const reads = [...new Set(happenings.flatMap((happening) => happening.reads))];
  return {
    solution: {
      steps: [
        searchAndRead(
          happenings.map(({ query }) => query),
          reads,
        ),
        { calls },
      ],
      summary: titles.join(book.language === 'fr' ? ' ; ' : '; '),
    },
    allowed: happenings.flatMap(({ allowed }) => allowed),
  };
}

function searchAndRead(queries: readonly string[], reads: readonly string[]): Step {
  const read: SolutionCall[] =
    reads.length === 0 ? [] : [['read', { paths: reads.map((path) => `vault/${path}`) }]];
  return { calls: [['search', { queries, mode: 'fast' }], ...read] };
}

function addOnTop(path: string, day: Day, section: string): SolutionCall {
  return ['append', { path, content: `# ${day}\n\n${section}`, position: 'top' }];
}

export function dayOf(at: string): Day {
  return at.slice(0, 10);
}
