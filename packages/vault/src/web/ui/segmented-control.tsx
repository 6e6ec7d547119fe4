import { useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';

type Option<Value extends string> = { value: Value; label: string; icon?: ReactNode; isDisabled?: boolean };
type Props<Value extends string> = {
  label: string;
  value: Value;
  options: Option<Value>[];
  onChange: (value: Value) => void;
};

/** A choice between a few visible options. It is one tab stop; arrow keys move between the options. */
export function SegmentedControl<Value extends string>({ label, value, options, onChange }: Props<Value>) {
  const group = useRef<HTMLDivElement>(null);
  const moveFocus = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...(group.current?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    buttons.at((at + step) % buttons.length)?.focus();
  };
  return (
    // The buttons are what users interact with; the group only moves the focus between them.
    <div
      ref={group}
      role="group"
      aria-label={label}
      onKeyDown={moveFocus}
      className="inline-flex w-fit max-w-full shrink-0 gap-0.5 rounded-medium bg-track p-0.5"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          disabled={option.isDisabled ?? false}
          onClick={() => onChange(option.value)}
          className="inline-flex h-7 items-center gap-1.5 rounded-[0.375rem] px-2 text-small wide:px-2.5 font-medium whitespace-nowrap text-soft transition-colors not-disabled:hover:text-ink disabled:opacity-50 aria-pressed:bg-knob aria-pressed:text-ink aria-pressed:shadow-[0_0_0_1px_var(--color-line)]"
        >
          {option.icon}
          {option.label}
        </button>
      ))}
    </div>
  );
}
