import type { z } from 'zod';
import { localTime } from '../../contract/index.ts';
import type { Answer, api } from '../../contract/index.ts';
import { freeName, slugOf } from '../../vault/index.ts';

type Answered = Pick<z.output<typeof api.keptAnswer>, 'question' | 'askedAt' | 'by'> & { answer: Answer };

const longestTitle = 200;
const wordsInName = 8;

/** An answer as a note: its lines stay as they are, so that they can be verified there, too. */
export function noteOf(
  { question, askedAt, by, answer }: Answered,
  isTaken: (name: string) => boolean,
): { name: string; text: string } {
  const asked = localTime(askedAt);
  const line = question.replaceAll(/\s+/g, ' ').trim();
  const isLong = line.length > longestTitle;
  const title = isLong ? `${line.slice(0, longestTitle).trimEnd()}…` : line;
  const parts = [
    `---\nasked: ${asked}\nanswered_by: ${by}\n---`,
    `# ${title}`,
    ...(isLong ? [question.trim()] : []),
    answer.document,
  ];
  const words = slugOf(line.slice(0, longestTitle)).split('-').slice(0, wordsInName);
  return {
    name: freeName(`${[asked.slice(0, 10), ...words].filter((part) => part !== '').join('-')}.md`, isTaken),
    text: `${parts.join('\n\n')}\n`,
  };
}
