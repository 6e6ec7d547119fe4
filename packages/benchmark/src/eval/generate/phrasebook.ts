import type { Day, RelativeDate } from './calendar.ts';

/** Sentence templates with placeholders such as `{name}`; `{Name}` is the same value capitalized. */
type Sentences = readonly string[];

/** A task: the phrase when open, the phrase when done, and a word that identifies it. */
export type TaskKind = { todo: string; done: string; key: string };

/** A project template that contains a place name. Labels are singular and used as grammatical subjects. */
export type ProjectKind = {
  title: string;
  slug: string;
  about: string;
  /** Lines of the description that never change. */
  frame: readonly string[];
  /** Labels of amounts in the hundreds of euros. */
  figures: readonly string[];
  /** Labels of amounts in the thousands of euros. */
  sums: readonly string[];
  meetings: readonly string[];
  contacts: readonly string[];
  choices: readonly { label: string; options: readonly string[] }[];
  tasks: readonly TaskKind[];
};

/** All texts of one language. */
export type Phrasebook = {
  language: 'fr' | 'en' | 'de';
  /** Words used in the files of the vault. */
  words: {
    overview: string;
    moment: string;
    momentText: readonly string[];
    projects: string;
    profile: string;
    who: string;
    whoText: readonly string[];
    habits: string;
    frame: string;
    status: string;
    active: string;
    figures: string;
    meetings: string;
    contacts: string;
    choices: string;
    todo: string;
    priorities: readonly [string, string, string];
    added: string;
    project: string;
    decision: string;
    reason: string;
    begun: string;
    known: string;
    /** Separates a label from its value. */
    colon: string;
    review: { looked: string; found: string; proposal: string; question: string };
  };
  amount: (euros: number) => string;
  time: (hour: number, minute: number) => string;
  /** A regular expression that matches every common notation of a time. */
  timePattern: (hour: number, minute: number) => string;
  date: (day: Day) => string;
  /** A regular expression that matches the date without its year. */
  datePattern: (day: Day) => string;
  /** Formats a date as an adverbial phrase. */
  on: (day: Day) => string;
  from: (distance: RelativeDate) => string;
  says: {
    figure: Sentences;
    figureChanged: Sentences;
    figureCorrected: Sentences;
    meeting: Sentences;
    meetingMoved: Sentences;
    contact: Sentences;
    contactChanged: Sentences;
    choice: Sentences;
    choiceChanged: Sentences;
    task: Sentences;
    taskMoved: Sentences;
    taskDone: Sentences;
    own: Sentences;
    ownChanged: Sentences;
    begin: Sentences;
    unclear: Sentences;
    /** A password among other news. */
    secret: Sentences;
    /** Demands by third parties to change the profile. */
    claim: Sentences;
    onProject: Sentences;
    greeting: Sentences;
    goodbye: Sentences;
    keepTranscript: Sentences;
    noted: Sentences;
  };
  mail: { from: string; date: string; subject: string; subjects: Sentences };
  transcript: { title: string; date: string; present: string };
  asks: {
    figure: Sentences;
    meeting: Sentences;
    contact: Sentences;
    choice: Sentences;
    task: Sentences;
  };
  reasons: Sentences;
  /** Small talk without information. Every opening can be combined with every subject and every remark. */
  chatter: { openings: Sentences; subjects: Sentences; remarks: Sentences; ends: Sentences };
  /** Facts about the user: as stated, and as written in the profile. */
  own: readonly { said: string; line: string }[];
  kinds: readonly ProjectKind[];
  /** Tasks that belong to no project. */
  tasks: readonly TaskKind[];
};

/** Replaces the placeholders of a template. Throws when a value is missing. */
export function fillTemplate(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? values[name.toLowerCase()];
    if (value === undefined) throw new Error(`no value for {${name}}: ${sentence}`);
    return name === name.toLowerCase() ? value : capitalize(value);
  });
}

export function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

const article = /^(the|an?|les?|la|une?|der|die|das|eine?) /;

/**
 * Parses an option into its text and the part that identifies it in any wording: the part between asterisks, otherwise
 * the text without its article.
 */
export function parseOption(option: string): { value: string; key: string } {
  const marked = /\*(.+)\*/.exec(option)?.[1];
  return { value: option.replaceAll('*', ''), key: marked ?? option.replace(article, '') };
}
