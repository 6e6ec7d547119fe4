import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

type Props = { icon: LucideIcon; title: string; hint?: string; children?: ReactNode };

/** Says why a view is empty, and what to do about it. */
export function EmptyState({ icon: Icon, title, hint, children }: Props) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-16 text-center">
      <span className="grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon aria-hidden className="size-6" />
      </span>
      <p className="text-large font-semibold text-balance">{title}</p>
      {hint !== undefined && <p className="max-w-sm text-small text-soft text-balance">{hint}</p>}
      {children}
    </div>
  );
}
