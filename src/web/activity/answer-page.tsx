import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { FileQuestion } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../contract/index.ts';
import { Markdown } from '../file/markdown.tsx';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { BackLink, ToActivity } from './back-link.tsx';
import { EvidenceBlock } from './evidence-block.tsx';
import { StepList } from './steps.tsx';

/** A question, how it was looked into, and the answer with its sources. */
export function AnswerPage() {
  const { id = '' } = useParams({ strict: false });
  const { answers } = useServices();
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const record = useStore(answers.list).find((each) => each.id === id);
  if (record === undefined)
    return (
      <EmptyState sign={FileQuestion} title={text.answer.gone} hint={text.answer.goneHint}>
        <ToActivity />
      </EmptyState>
    );
  const again = (): void =>
    void navigate({ to: '/answer/$id', params: { id: answers.ask(record.question) } });
  return (
    <Page
      above={<BackLink />}
      title={record.question}
      about={format.ago(record.at)}
      actions={
        record.state === 'running' ? (
          <Button onClick={() => answers.stop(id)}>{text.answer.stop}</Button>
        ) : (
          <Button onClick={again}>{text.answer.again}</Button>
        )
      }
    >
      {record.state === 'running' && (
        <div className="flex flex-col gap-3">
          <Spinner label={text.run.searching} />
          <StepList steps={record.steps} />
        </div>
      )}
      {record.state === 'stopped' && <Notice title={text.answer.stopped} />}
      {record.state === 'failed' && (
        <Notice tone="danger" title={text.answer.failed}>
          {record.problem}
        </Notice>
      )}
      {record.answer !== null && <Shown answer={record.answer} />}
    </Page>
  );
}

function Shown({ answer }: { answer: Answer }) {
  const { queries } = useServices();
  const text = useText().answer;
  const { data } = useQuery(queries.verify(answer.document));
  const [open, setOpen] = useState<readonly boolean[]>(() => answer.blocks.map(() => true));
  const isAnyOpen = open.includes(true);
  return (
    <>
      <div className="prose plain">
        <Markdown body={answer.overview} path="" />
      </div>
      <section className="flex flex-col gap-2">
        <div className="flex min-h-8 items-center justify-between">
          <h2 className="text-small font-semibold text-soft">{text.evidence(answer.blocks.length)}</h2>
          {answer.blocks.length > 1 && (
            <Button look="quiet" className="-mr-3" onClick={() => setOpen(open.map(() => !isAnyOpen))}>
              {isAnyOpen ? text.collapse : text.expand}
            </Button>
          )}
        </div>
        {!answer.isCited && <Notice tone="warn" title={text.none} />}
        {answer.blocks.map((block, index) => (
          <EvidenceBlock
            key={`${block.path}-${block.start}`}
            block={block}
            checked={data?.blocks[index]}
            isOpen={open[index] ?? true}
            onChange={(isOpen) => setOpen(open.map((each, other) => (other === index ? isOpen : each)))}
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
