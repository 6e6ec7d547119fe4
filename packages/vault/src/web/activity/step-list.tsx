import { Check, CircleAlert, LoaderCircle } from 'lucide-react';
import type { Step } from '../../contract/index.ts';
import { useText } from '../text/use-text.ts';

/** Describes one step of an agent. */
export function StepLine({ step, isWrapped = false }: { step: Step; isWrapped?: boolean }) {
  const { run } = useText();
  return (
    <span className={`min-w-0 text-small text-soft ${isWrapped ? 'break-words' : 'truncate'}`}>
      {run.tools[step.tool] ?? step.tool}{' '}
      <span className="text-ink">{step.about.replaceAll('vault/', '')}</span>
    </span>
  );
}

/** All steps of an agent so far, in order. */
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
          <StepLine step={step} isWrapped />
        </li>
      ))}
    </ol>
  );
}
