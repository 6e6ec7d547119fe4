import type { z } from 'zod';
import { formatLocalTime } from '../../contract/index.ts';
import type { Answer, api } from '../../contract/index.ts';
import { findFreeName, slugify } from '../../vault/index.ts';

type FinishedAnswer = Pick<z.output<typeof api.savedAnswer>, 'question' | 'askedAt' | 'by'> & {
  answer: Answer;
};

const maxTitleLength = 200;
const maxNameWords = 8;

/** Formats an answer as a note. The quoted lines stay unchanged, so that they can be verified in the note, too. */
export function formatAnswerNote(
  { question, askedAt, by, answer }: FinishedAnswer,
  isTaken: (name: string) => boolean,
): { name: string; text: string } {
  const askedTime = formatLocalTime(askedAt);
  const line = question.replaceAll(/\s+/g, ' ').trim();
  const isLong = line.length > maxTitleLength;
  const title = isLong ? `${line.slice(0, maxTitleLength).trimEnd()}…` : line;
  const parts = [
    `---\nasked: ${askedTime}\nanswered_by: ${by}\n---`,
    `# ${title}`,
    ...(isLong ? [question.trim()] : []),
    answer.document,
  ];
  const words = slugify(line.slice(0, maxTitleLength)).split('-').slice(0, maxNameWords);
  return {
    name: findFreeName(
      `${[askedTime.slice(0, 10), ...words].filter((part) => part !== '').join('-')}.md`,
      isTaken,
    ),
    text: `${parts.join('\n\n')}\n`,
  };
}
