import type { ComponentProps, ReactNode } from 'react';

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';

const shape =
  'inline-flex items-center justify-center gap-2 rounded-medium text-small font-medium whitespace-nowrap select-none transition-colors disabled:opacity-60 disabled:cursor-not-allowed';
const variantClasses: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent enabled:hover:bg-accent-hover',
  secondary: 'border border-line bg-surface text-ink enabled:hover:bg-hover',
  ghost: 'text-soft enabled:hover:bg-hover enabled:hover:text-ink',
  danger: 'border border-line bg-surface text-danger enabled:hover:bg-danger-soft',
};

/** The classes of a link that looks like a button. */
export function buttonClass(variant: ButtonVariant = 'secondary', more = ''): string {
  return `${shape} h-8 px-3 ${variantClasses[variant].replaceAll('enabled:', '')} ${more}`;
}

type ButtonProps = ComponentProps<'button'> & { variant?: ButtonVariant };

export function Button({ variant = 'secondary', className = '', type = 'button', ...rest }: ButtonProps) {
  return (
    <button type={type} className={`${shape} h-8 px-3 ${variantClasses[variant]} ${className}`} {...rest} />
  );
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & { label: string; children: ReactNode };

/** A button that shows only an icon. Its label is read aloud and shown on hover. */
export function IconButton({ label, className = '', children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`${shape} size-8 shrink-0 ${variantClasses.ghost} ${className}`}
      {...rest}
    >
      {children}
    </button>
  );
}
