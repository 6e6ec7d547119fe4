import type { Day, Distance } from './calendar.ts';

/** Sentences with `{name}` for what is filled in; `{Name}` is the same with a capital letter. */
type Sentences = readonly string[];

/** Something to be done: as it is to do, as it is done, and a word that only it has. */
export type TaskKind = { todo: string; done: string; key: string };

/** A project as it can be, with a name of a place in it. Labels are singular and stand where a subject stands. */
export type ProjectKind = {
  title: string;
  slug: string;
  about: string;
  /** Lines of the description that nothing ever touches. */
  frame: readonly string[];
  /** In hundreds of euros. */
  figures: readonly string[];
  /** In thousands. */
  sums: readonly string[];
  meetings: readonly string[];
  contacts: readonly string[];
  choices: readonly { label: string; options: readonly string[] }[];
  tasks: readonly TaskKind[];
};

/** All that is said in one language. */
export type Book = {
  language: 'fr' | 'en' | 'de';
  /** The words that files of the vault use. */
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
    /** Between a label and what it is. */
    colon: string;
    review: { looked: string; found: string; proposal: string; question: string };
  };
  amount: (euros: number) => string;
  time: (hour: number, minute: number) => string;
  /** Time as anybody may write it: a regular expression. */
  timePattern: (hour: number, minute: number) => string;
  date: (day: Day) => string;
  /** The day without its year: a regular expression. */
  datePattern: (day: Day) => string;
  /** Where the sentence says when. */
  on: (day: Day) => string;
  from: (distance: Distance) => string;
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
    /** What somebody who is not the person wants of the profile. */
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
  /** Talk that says nothing: every opening goes with every subject, and that with every remark. */
  chatter: { openings: Sentences; subjects: Sentences; remarks: Sentences; ends: Sentences };
  /** Things about the person: how they say it, and how it is written down. */
  own: readonly { said: string; line: string }[];
  kinds: readonly ProjectKind[];
  /** Tasks of no project. */
  tasks: readonly TaskKind[];
};

/** Fills what stands in braces. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? values[name.toLowerCase()];
    if (value === undefined) throw new Error(`nothing is given for {${name}}: ${sentence}`);
    return name === name.toLowerCase() ? value : capitalised(value);
  });
}

export function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

const article = /^(the|an?|les?|la|une?|der|die|das|eine?) /;

/** What an option is called, and the part of it, between asterisks, by which it is known however it is put. */
export function readOption(option: string): { value: string; key: string } {
  const marked = /\*(.+)\*/.exec(option)?.[1];
  return { value: option.replaceAll('*', ''), key: marked ?? option.replace(article, '') };
}
