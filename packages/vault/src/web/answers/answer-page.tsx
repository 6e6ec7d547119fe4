import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { FileQuestion } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { hasErrorCode } from '../api/api-error.ts';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';
import { AnswerActions } from './answer-actions.tsx';
import { AnswerBody } from './answer-body.tsx';
import { AnswersLink, AnswersButton } from './answers-link.tsx';
import { FollowUp } from './follow-up.tsx';
import { useAnswer } from './use-answer.ts';

/** A question with its answer, sources, search steps and follow-up questions. */
export function AnswerPage() {
  const { id = '' } = useParams({ strict: false });
  const text = useText();
  const { data: answer, error } = useQuery(useServices().queries.answers.get(id));
  const [first = id, ...later] = answer?.thread ?? [];
  if (hasErrorCode(error, 'no-such-answer'))
    return (
      <EmptyState icon={FileQuestion} title={text.answer.gone} hint={text.answer.goneHint}>
        <AnswersButton />
      </EmptyState>
    );
  if (error !== null)
    return (
      <Page eyebrow={<AnswersLink />} title={text.answers.title}>
        <ErrorNotice error={error} />
      </Page>
    );
  const last = later.at(-1) ?? first;
  return (
    answer !== undefined && (
      <RootAnswer key={first} id={first}>
        {later.map((each) => (
          <FollowUpAnswer key={each} id={each} isTarget={each === id} />
        ))}
        <FollowUp follows={last} />
      </RootAnswer>
    )
  );
}

function RootAnswer({ id, children }: { id: string; children: ReactNode }) {
  const format = useFormat();
  const { data: answer, written, passages } = useAnswer(id);
  return (
    answer !== undefined && (
      <Page eyebrow={<AnswersLink />} title={answer.question} about={format.ago(answer.askedAt)}>
        <AnswerBody answer={answer} written={written} passages={passages} />
        <AnswerActions answer={answer} />
        {children}
      </Page>
    )
  );
}

/** A follow-up question with its answer. It scrolls into view if the URL names it. */
function FollowUpAnswer({ id, isTarget }: { id: string; isTarget: boolean }) {
  const format = useFormat();
  const { data: answer, written, passages } = useAnswer(id);
  const section = useRef<HTMLElement>(null);
  const isLoaded = answer !== undefined;
  useEffect(() => {
    if (!isTarget || !isLoaded) return;
    // The router first scrolls a newly opened page to its top.
    const timer = setTimeout(() => section.current?.scrollIntoView({ block: 'start' }), 50);
    return () => clearTimeout(timer);
  }, [isTarget, isLoaded]);
  return (
    answer !== undefined && (
      <section ref={section} className="flex flex-col gap-6 border-t border-line pt-6">
        <div className="flex flex-col gap-1">
          <h2 className="text-large font-semibold text-balance break-words whitespace-pre-wrap">
            {answer.question}
          </h2>
          <p className="text-tiny text-soft">{format.ago(answer.askedAt)}</p>
        </div>
        <AnswerBody answer={answer} written={written} passages={passages} />
        <AnswerActions answer={answer} />
      </section>
    )
  );
}
