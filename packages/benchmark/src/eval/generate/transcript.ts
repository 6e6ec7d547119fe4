import type { Day } from './calendar.ts';
import { chatter } from './small-talk.ts';
import type { World } from './world.ts';

type Parts = {
  /** The sentences with information, hidden in the conversation. */
  sentences: readonly string[];
  said: Day;
  /** Approximate length in characters. */
  size: number;
  speakers: readonly string[];
};

/** Writes a long conversation with a few relevant sentences in it. */
export function writeTranscript(
  { book, random }: Pick<World, 'book' | 'random'>,
  { sentences, said, size, speakers }: Parts,
): string {
  const { transcript, words, says } = book;
  const lines: string[] = [];
  const say = (text: string): void => void lines.push(`${random.pick(speakers)}${words.colon}${text}`);
  const talk = (length: number): void => {
    for (let written = 0; written < length;) {
      const count = random.between(1, 5);
      say(Array.from({ length: count }, () => chatter({ book, random })).join(' '));
      written += (lines.at(-1) ?? '').length;
    }
  };
  const pause = size / (sentences.length + 1);
  for (const sentence of sentences) {
    talk(pause);
    say(`${random.pick(says.noted)} ${sentence}`);
  }
  talk(pause);
  const head = [
    `# ${transcript.title}`,
    `${transcript.date}${words.colon}${said}\n${transcript.present}${words.colon}${speakers.join(', ')}`,
  ];
  return `${[...head, ...lines].join('\n\n')}\n`;
}
