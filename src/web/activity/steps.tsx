import { Check, CircleAlert, LoaderCircle } from 'lucide-react';
import type { Step } from '../live/runs.ts';
import { useText } from '../text/use-text.ts';

/** One thing an agent did, in words. */
export function StepLine({ step }: { step: Step }) {
  const { run } = useText();
  return (
    <span className="min-w-0 truncate text-small text-soft">
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
        <li key={index} className="flex min-w-0 items-center gap-2">
          {step.problem === undefined && (
            <LoaderCircle aria-label={run.running} className="size-4 shrink-0 animate-spin text-accent" />
          )}
          {step.problem === null && <Check aria-label={run.done} className="size-4 shrink-0 text-good" />}
          {typeof step.problem === 'string' && (
            <CircleAlert aria-label={run.failed} className="size-4 shrink-0 text-warn" />
          )}
          <StepLine step={step} />
        </li>
      ))}
    </ol>
  );
}
