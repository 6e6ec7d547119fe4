import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { FileQuestion } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { isCode } from '../api/problem.ts';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';
import { AnswerActions } from './answer-actions.tsx';
import { AnswerBody } from './answer-body.tsx';
import { BackToAnswers, ToAnswers } from './back-to-answers.tsx';
import { FollowUp } from './follow-up.tsx';
import { useAnswer } from './use-answer.ts';

/** A question, how it was looked into, the answer with its sources, and what was asked on from there. */
export function AnswerPage() {
  const { id = '' } = useParams({ strict: false });
  const text = useText();
  const { data: answer, error } = useQuery(useServices().queries.answers.get(id));
  const [first = id, ...later] = answer?.thread ?? [];
  if (isCode(error, 'no-such-answer'))
    return (
      <EmptyState sign={FileQuestion} title={text.answer.gone} hint={text.answer.goneHint}>
        <ToAnswers />
      </EmptyState>
    );
  if (error !== null)
    return (
      <Page above={<BackToAnswers />} title={text.answers.title}>
        <ErrorNotice error={error} />
      </Page>
    );
  const last = later.at(-1) ?? first;
  return (
    answer !== undefined && (
      <First key={first} id={first}>
        {later.map((each) => (
          <Later key={each} id={each} isWanted={each === id} />
        ))}
        <FollowUp follows={last} />
      </First>
    )
  );
}

function First({ id, children }: { id: string; children: ReactNode }) {
  const format = useFormat();
  const { data: answer, written } = useAnswer(id);
  return (
    answer !== undefined && (
      <Page above={<BackToAnswers />} title={answer.question} about={format.ago(answer.askedAt)}>
        <AnswerBody answer={answer} written={written} />
        <AnswerActions answer={answer} />
        {children}
      </Page>
    )
  );
}

/** One that was asked on; the one that the address names is brought into view. */
function Later({ id, isWanted }: { id: string; isWanted: boolean }) {
  const format = useFormat();
  const { data: answer, written } = useAnswer(id);
  const place = useRef<HTMLElement>(null);
  const isThere = answer !== undefined;
  useEffect(() => {
    if (!isWanted || !isThere) return;
    // After the page that was opened has begun at its top.
    const timer = setTimeout(() => place.current?.scrollIntoView({ block: 'start' }), 50);
    return () => clearTimeout(timer);
  }, [isWanted, isThere]);
  return (
    answer !== undefined && (
      <section ref={place} className="flex flex-col gap-6 border-t border-line pt-6">
        <div className="flex flex-col gap-1">
          <h2 className="text-large font-semibold text-balance break-words whitespace-pre-wrap">
            {answer.question}
          </h2>
          <p className="text-tiny text-soft">{format.ago(answer.askedAt)}</p>
        </div>
        <AnswerBody answer={answer} written={written} />
        <AnswerActions answer={answer} />
      </section>
    )
  );
}
