import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';
import type { ReactNode } from 'react';

type Option<Value extends string> = { value: Value; label: string; icon?: ReactNode; isDisabled?: boolean };
type Props<Value extends string> = {
  label: string;
  value: Value;
  options: Option<Value>[];
  onChange: (value: Value) => void;
};

/** A choice between a few visible options. Arrow keys move between them. */
export function SegmentedControl<Value extends string>({ label, value, options, onChange }: Props<Value>) {
  return (
    <ToggleGroup
      aria-label={label}
      value={[value]}
      onValueChange={([next]) => {
        if (next !== undefined) onChange(next);
      }}
      className="inline-flex w-fit max-w-full shrink-0 gap-0.5 rounded-medium bg-track p-0.5"
    >
      {options.map((option) => (
        <Toggle
          key={option.value}
          value={option.value}
          disabled={option.isDisabled ?? false}
          className="inline-flex h-7 items-center gap-1.5 rounded-[0.375rem] px-2 text-small wide:px-2.5 font-medium whitespace-nowrap text-soft transition-colors not-disabled:hover:text-ink disabled:opacity-50 data-[pressed]:bg-knob data-[pressed]:text-ink data-[pressed]:shadow-[0_0_0_1px_var(--color-line)]"
        >
          {option.icon}
          {option.label}
        </Toggle>
      ))}
    </ToggleGroup>
  );
}
