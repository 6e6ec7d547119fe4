import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { foldLines } from '../../contract/index.ts';
import type { Answer } from '../../contract/index.ts';
import { StepList } from '../activity/step-list.tsx';
import type { FoundPassages, SavedAnswer } from '../api/answers-api.ts';
import { Markdown } from '../file/markdown.tsx';
import type { PassageMarks } from '../file/mark-passage.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Collapsible } from '../ui/collapsible.tsx';
import { Notice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { CitationPreview } from './citation-preview.tsx';
import { sourceElementId, linkCitations } from './citations.ts';
import { claimTerms, contentWords } from './claim-terms.ts';
import { EvidenceBlock } from './evidence-block.tsx';
import { FoundSoFar } from './found-so-far.tsx';
import { groupBlocks } from './group-blocks.ts';
import type { Source } from './group-blocks.ts';
import { NearMisses } from './near-misses.tsx';

const noMarks: PassageMarks = { words: [], sentence: [] };

type BodyProps = { answer: SavedAnswer; written: string; passages: FoundPassages };

/** The current state of an answer: in progress, finished or failed. */
export function AnswerBody({ answer, written, passages }: BodyProps) {
  const text = useText();
  const { state, steps, problem } = answer;
  return (
    <>
      {state === 'running' && (
        <div className="flex flex-col gap-3">
          <Spinner label={text.run.searching} />
          <StepList steps={steps} />
        </div>
      )}
      {state === 'running' && written !== '' && (
        <div className="prose plain" aria-busy>
          <Markdown body={written} path="" />
        </div>
      )}
      {state === 'running' && <FoundSoFar passages={passages} question={answer.question} />}
      {state === 'stopped' && <Notice title={text.answer.stopped} />}
      {state === 'interrupted' && (
        <Notice tone="warn" title={text.answer.interrupted}>
          {text.answer.interruptedHint}
        </Notice>
      )}
      {state === 'failed' && (
        <Notice tone="danger" title={text.answer.failed}>
          {problem !== null && (text.problems[problem.code] ?? `${problem.detail}; ${problem.next}`)}
        </Notice>
      )}
      {answer.answer !== null && <AnswerContent saved={answer} answer={answer.answer} />}
      {state !== 'running' && steps.length > 0 && <Steps steps={steps} />}
    </>
  );
}

/** The steps of the search agent, collapsed at first. */
function Steps({ steps }: { steps: SavedAnswer['steps'] }) {
  const { run } = useText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Collapsible title={run.steps(steps.length)} isOpen={isOpen} onChange={setIsOpen}>
      <div className="px-3 py-2">
        <StepList steps={steps} />
      </div>
    </Collapsible>
  );
}

/** An answer is new for this long, in milliseconds. */
const freshMs = 60_000;

type ShownProps = { saved: SavedAnswer; answer: Answer };

function AnswerContent({ saved: { id, by, question, askedAt }, answer }: ShownProps) {
  const { queries } = useServices();
  const text = useText().answer;
  const { data } = useQuery(queries.answers.verify(answer.document));
  const sources = groupBlocks(answer.blocks, data?.blocks);
  const shownLines = foldLines(sources.map(({ lineCount }) => lineCount));
  const [open, setOpen] = useState<readonly boolean[]>(() => shownLines.map((shown) => shown > 0));
  const marks = useMemo(
    () =>
      new Map(
        answer.blocks.map(({ number }): [number, PassageMarks] => [
          number,
          {
            words: [],
            sentence: by === 'agent' ? claimTerms(answer.overview, number) : contentWords(question),
          },
        ]),
      ),
    [answer, by, question],
  );
  const marksOf = ({ number }: Source): PassageMarks => marks.get(number) ?? noMarks;
  const isFresh = Date.now() - askedAt < freshMs;
  const isAnyOpen = open.includes(true);
  const changed = sources.filter(({ state }) => state === 'changed').length;
  return (
    <>
      {by === 'search' ? (
        <NoModelHint hasLines={answer.isCited} />
      ) : (
        <>
          {changed > 0 && <Notice tone="warn" title={text.mayBeOld(changed, sources.length)} />}
          <CitationPreview answer={id} sources={sources} marksOf={marksOf}>
            <div className="prose plain">
              <Markdown
                body={linkCitations(
                  answer.overview,
                  id,
                  sources.map(({ number }) => number),
                )}
                path=""
              />
            </div>
          </CitationPreview>
          {answer.isCited && answer.unsupported.length > 0 && (
            <Notice tone="warn" title={text.unsupported(answer.unsupported.join(', '))} />
          )}
        </>
      )}
      <section className="flex flex-col gap-2">
        <div className="flex min-h-8 items-center justify-between">
          <h2 className="text-small font-semibold text-soft">
            {answer.found === 'no' && answer.isCited ? text.nearMisses : text.evidence(sources.length)}
          </h2>
          {sources.length > 1 && (
            <Button variant="ghost" className="-mr-3" onClick={() => setOpen(open.map(() => !isAnyOpen))}>
              {isAnyOpen ? text.collapse : text.expand}
            </Button>
          )}
        </div>
        {!answer.isCited && by === 'agent' && <UncitedNotice found={answer.found} />}
        {!answer.isCited && by === 'agent' && answer.found === 'no' && <NearMisses question={question} />}
        {sources.map((source, index) => (
          <EvidenceBlock
            key={index}
            id={sourceElementId(id, source.number)}
            source={source}
            shownLines={shownLines[index] ?? source.lineCount}
            marks={marksOf(source)}
            isFresh={isFresh}
            isOpen={open[index] ?? true}
            onChange={(isOpen) =>
              setOpen((all) => all.map((each, other) => (other === index ? isOpen : each)))
            }
          />
        ))}
        {answer.notes.length > 0 && (
          <Notice tone="warn" title={text.missing}>
            {answer.notes.map((note) => (
              <p key={note}>{note}</p>
            ))}
          </Notice>
        )}
      </section>
    </>
  );
}

function UncitedNotice({ found }: Pick<Answer, 'found'>) {
  const text = useText().answer;
  return found === 'no' ? <Notice title={text.notFound} /> : <Notice tone="warn" title={text.none} />;
}

function NoModelHint({ hasLines }: { hasLines: boolean }) {
  const text = useText();
  return (
    <Notice title={hasLines ? text.answer.bySearch : text.answer.bySearchNothing}>
      <p>
        {text.answer.bySearchHint}{' '}
        <Link to="/settings" className="text-accent underline">
          {text.composer.howTo}
        </Link>
      </p>
    </Notice>
  );
}
