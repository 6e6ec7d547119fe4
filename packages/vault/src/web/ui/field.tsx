import { useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';

type Props = ComponentProps<'input'> & { label: string; hint?: ReactNode };

const inputClass =
  'h-9 w-full min-w-0 rounded-medium border border-line bg-surface px-2.5 text-base wide:text-small';

/** A text field with a label above it and a hint below. */
export function Field({ label, hint, className = '', ...rest }: Props) {
  const [id, about] = [useId(), useId()];
  return (
    <div className={`flex min-w-0 flex-col gap-1 text-small ${className}`}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        spellCheck={false}
        aria-describedby={hint === undefined ? undefined : about}
        className={inputClass}
        {...rest}
      />
      {hint !== undefined && (
        <p id={about} className="text-tiny text-soft">
          {hint}
        </p>
      )}
    </div>
  );
}

type SelectProps = ComponentProps<'select'> & { label: string; options: readonly string[] };

export function SelectField({ label, options, ...rest }: SelectProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1 text-small">
      <label htmlFor={id}>{label}</label>
      <select id={id} className={inputClass} {...rest}>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </div>
  );
}
