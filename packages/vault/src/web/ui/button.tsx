import type { ComponentProps, ReactNode } from 'react';

type Look = 'primary' | 'plain' | 'quiet' | 'danger';

const shape =
  'inline-flex items-center justify-center gap-2 rounded-medium text-small font-medium whitespace-nowrap select-none transition-colors disabled:opacity-60 disabled:cursor-not-allowed';
const looks: Record<Look, string> = {
  primary: 'bg-accent text-on-accent enabled:hover:bg-accent-hover',
  plain: 'border border-line bg-surface text-ink enabled:hover:bg-hover',
  quiet: 'text-soft enabled:hover:bg-hover enabled:hover:text-ink',
  danger: 'border border-line bg-surface text-danger enabled:hover:bg-danger-soft',
};

/** For what looks like a button and is a link. */
export function buttonClass(look: Look = 'plain', more = ''): string {
  return `${shape} h-8 px-3 ${looks[look].replaceAll('enabled:', '')} ${more}`;
}

type ButtonProps = ComponentProps<'button'> & { look?: Look };

export function Button({ look = 'plain', className = '', type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={`${shape} h-8 px-3 ${looks[look]} ${className}`} {...rest} />;
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & { label: string; children: ReactNode };

/** A button that shows only a sign; its label is said, and shown on hover. */
export function IconButton({ label, className = '', children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`${shape} size-8 shrink-0 ${looks.quiet} ${className}`}
      {...rest}
    >
      {children}
    </button>
  );
}
