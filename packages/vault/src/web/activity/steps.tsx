import { Check, CircleAlert, LoaderCircle } from 'lucide-react';
import type { Step } from '../../contract/index.ts';
import { useText } from '../text/use-text.ts';

/** One thing an agent did, in words. */
export function StepLine({ step, isWhole = false }: { step: Step; isWhole?: boolean }) {
  const { run } = useText();
  return (
    <span className={`min-w-0 text-small text-soft ${isWhole ? 'break-words' : 'truncate'}`}>
      {run.tools[step.tool] ?? step.tool}{' '}
      <span className="text-ink">{step.about.replaceAll('vault/', '')}</span>
    </span>
  );
}

/** Everything an agent has done so far, in order. */
export function StepList({ steps }: { steps: readonly Step[] }) {
  const { run } = useText();
  return (
    <ol aria-live="polite" className="flex flex-col gap-1">
      {steps.map((step, index) => (
        <li key={index} className="flex min-w-0 items-start gap-2">
          {step.state === 'running' && (
            <LoaderCircle
              aria-label={run.running}
              className="mt-0.5 size-4 shrink-0 animate-spin text-accent"
            />
          )}
          {step.state === 'done' && (
            <Check aria-label={run.done} className="mt-0.5 size-4 shrink-0 text-good" />
          )}
          {step.state === 'failed' && (
            <CircleAlert aria-label={run.failed} className="mt-0.5 size-4 shrink-0 text-warn" />
          )}
          <StepLine step={step} isWhole />
        </li>
      ))}
    </ol>
  );
}
