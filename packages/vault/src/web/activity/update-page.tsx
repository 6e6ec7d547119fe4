import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { FileQuestion } from 'lucide-react';
import { isModelUnavailable } from '../../contract/index.ts';
import type { UpdateRecord } from '../api/updates-api.ts';
import { hasErrorCode } from '../api/api-error.ts';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { translateReason } from '../text/translate-reason.ts';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page, Section } from '../ui/page.tsx';
import { changesText } from '../ui/parse-diff.ts';
import { Spinner } from '../ui/spinner.tsx';
import { BackLink, ActivityButton } from './activity-link.tsx';
import { DiffList } from './diff-list.tsx';
import { summarizeUpdate } from './update-summary.ts';
import { ProgressLine } from './progress-line.tsx';
import { ReceiptSection } from './receipt-section.tsx';
import { StepList } from './step-list.tsx';
import { UpdateActions } from './update-actions.tsx';

/** One update: its input, the steps of the agent, and its changes. */
export function UpdatePage() {
  const { id = '' } = useParams({ strict: false });
  const { queries } = useServices();
  const text = useText();
  const format = useFormat();
  const { data: update, error } = useQuery(queries.updates.get(id));
  const isExpired = hasErrorCode(error, 'expired');
  if (isExpired || hasErrorCode(error, 'no-such-update'))
    return (
      <EmptyState icon={FileQuestion} title={isExpired ? text.activity.expired : text.activity.gone}>
        <ActivityButton />
      </EmptyState>
    );
  if (update === undefined)
    return (
      <Page title={text.activity.title}>
        {error === null ? <Spinner label={text.run.working} /> : <ErrorNotice error={error} />}
      </Page>
    );
  const { label, tone, summary, isFinished } = summarizeUpdate(update, text);
  const { result, input, reason, steps, spent } = update;
  const diffs = update.diffs.filter(({ diff }) => changesText(diff));
  const isHeld = result?.kind === 'held' && update.decision === null;
  const isWaitingForModel = update.state === 'waiting' && reason !== null && isModelUnavailable(reason);
  const receipt = result === null || result.kind === 'unchanged' ? null : result.receipt;
  return (
    <Page
      eyebrow={<BackLink />}
      title={summary}
      about={
        <>
          <Badge tone={tone}>{label}</Badge>
          {format.ago(update.acceptedAt)} · {text.activity.by(input.source.name)}
          {spent !== null && ` · ${formatSpend(spent, format, text)}`}
        </>
      }
      actions={<UpdateActions update={update} />}
    >
      {isHeld && (
        <Notice tone="warn" title={text.activity.heldBecause}>
          <p className="first-letter:uppercase">{translateReason(result.reason, text)}</p>
        </Notice>
      )}
      {reason !== null && update.state !== 'done' && (
        <Notice
          tone={isWaitingForModel ? 'warn' : 'danger'}
          title={isWaitingForModel ? text.activity.waitingForModel : text.activity.failedBecause}
        >
          <p className="first-letter:uppercase">{translateReason(reason, text)}</p>
          {update.nextAttemptAt !== null && (
            <p>{text.activity.nextAttempt(format.time(update.nextAttemptAt))}</p>
          )}
        </Notice>
      )}
      {result?.kind === 'filed' && result.asked !== null && (
        <Notice
          title={text.activity.asked}
          actions={
            <Link to="/inbox" hash={result.asked} className={buttonClass()}>
              {text.activity.toItem}
            </Link>
          }
        >
          {result.asked}
        </Notice>
      )}
      {receipt !== null && <ReceiptSection receipt={receipt} />}
      {(steps.length > 0 || !isFinished) && (
        <Section title={text.run.steps(steps.length)}>
          {!isFinished && <ProgressLine update={update} />}
          <StepList steps={steps} />
        </Section>
      )}
      {diffs.length > 0 && (
        <Section
          title={isHeld ? text.activity.wouldChange(diffs.length) : text.activity.changes(diffs.length)}
        >
          <DiffList diffs={diffs} />
        </Section>
      )}
      <Section title={text.activity.input}>
        {input.text !== '' && (
          <p className="rounded-medium border border-line bg-surface px-3 py-2 text-small break-words whitespace-pre-wrap">
            {input.text}
          </p>
        )}
        {input.files.length > 0 && (
          <p className="text-small text-soft">
            {text.activity.attachments(input.files.length)}: {input.files.map(({ name }) => name).join(', ')}
          </p>
        )}
      </Section>
    </Page>
  );
}

type Spent = NonNullable<UpdateRecord['spent']>;

/** The cost if the prices are known, otherwise the number of tokens. */
function formatSpend(
  { cost, input, output }: Spent,
  format: ReturnType<typeof useFormat>,
  text: ReturnType<typeof useText>,
): string {
  return cost === null ? text.tree.tokens(input + output) : format.money(cost);
}
