import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'good' | 'warn' | 'danger' | 'accent';

const toneClasses: Record<Tone, string> = {
  neutral: 'bg-hover text-soft',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
  accent: 'bg-accent-soft text-accent',
};

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex h-5 shrink-0 items-center gap-1 rounded-full px-2 text-tiny font-medium whitespace-nowrap ${toneClasses[tone]}`}
    >
      {children}
    </span>
  );
}
