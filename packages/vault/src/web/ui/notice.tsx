import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

type Tone = 'info' | 'warn' | 'danger';

const toneClasses: Record<Tone, string> = {
  info: 'bg-accent-soft text-accent',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
};
const icons = { info: Info, warn: TriangleAlert, danger: CircleAlert };

type NoticeProps = { tone?: Tone; title: string; children?: ReactNode; actions?: ReactNode };

/** A message to the user, with optional actions. */
export function Notice({ tone = 'info', title, children, actions }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={`flex flex-wrap gap-x-3 ${children === undefined ? 'items-center' : 'items-start'} gap-y-2 rounded-medium px-3 py-2 text-small ${toneClasses[tone]}`}
    >
      <Icon aria-hidden className={`size-4 shrink-0 ${children === undefined ? '' : 'mt-0.5'}`} />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium">{title}</p>
        {children !== undefined && <div className="text-ink break-words">{children}</div>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
