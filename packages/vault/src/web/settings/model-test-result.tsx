import type { z } from 'zod';
import type { api } from '../../contract/index.ts';
import { useFormat } from '../text/format.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Notice } from '../ui/notice.tsx';

/** The result of testing a model with a short question, and its cost. */
export function ModelTestResult({ trial }: { trial: z.output<typeof api.modelTestResult> }) {
  const text = useSetupText().model;
  const format = useFormat();
  const tokens = format.number(trial.tokens);
  const rows = [
    [text.reply, trial.reply],
    [text.images, trial.blindBecause === null ? text.sees : text.blind],
    [text.cost, trial.cost === null ? text.unpriced(tokens) : text.costs(tokens, format.money(trial.cost))],
  ];
  return (
    <Notice
      tone={trial.callsTools ? 'info' : 'warn'}
      title={
        trial.callsTools ? text.works(format.number(Math.round(trial.milliseconds / 100) / 10)) : text.noTools
      }
    >
      <dl className="mt-1 flex flex-col gap-1">
        {rows.map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-3">
            <dt className="w-20 shrink-0 text-soft">{name}</dt>
            <dd className="min-w-0 flex-1 basis-40 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </Notice>
  );
}
