import { useMemo } from 'react';
import type { FoundPassages } from '../api/answers-api.ts';
import { startAtSection } from '../file/passage-fragment.ts';
import { Passage } from '../file/passage.tsx';
import { useText } from '../text/use-text.ts';
import { PathLabel } from '../ui/path-label.tsx';
import { contentWords } from './claim-terms.ts';

type Props = { passages: FoundPassages; question: string };

/** The passages that the agent has found, shown until the answer is finished. */
export function FoundSoFar({ passages, question }: Props) {
  const text = useText().answer;
  if (passages.length === 0) return null;
  return (
    <section className="flex flex-col gap-2" aria-busy>
      <h2 className="text-small font-semibold text-soft">{text.foundSoFar}</h2>
      {passages.map((passage) => (
        <FoundPassage key={`${passage.path}:${passage.best}`} passage={passage} question={question} />
      ))}
    </section>
  );
}

function FoundPassage({ passage, question }: { passage: FoundPassages[number]; question: string }) {
  const path = passage.path.replace(/^vault\//, '');
  const { lines, start } = useMemo(
    () => startAtSection(passage.text.split('\n'), passage.start, passage.best),
    [passage],
  );
  const marks = useMemo(
    () => ({ words: [], sentence: contentWords(question), line: passage.best }),
    [passage, question],
  );
  return (
    <div className="overflow-hidden rounded-medium border border-line bg-surface">
      <p className="border-b border-line px-3 py-2 text-small">
        <PathLabel path={path} />
      </p>
      <Passage path={path} lines={lines} start={start} marks={marks} />
    </div>
  );
}
