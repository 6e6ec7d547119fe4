import { useEffect, useId, useRef } from 'react';
import { buttonClass } from './button.tsx';

type FileFieldProps = {
  label: string;
  /** Types and extensions, separated by commas. */
  accept: string;
  isMultiple?: boolean;
  isDisabled?: boolean;
  isFocused?: boolean;
  onChoose: (files: File[]) => void;
};

/** A button that lets people choose files. The same file can be chosen again. */
export function FileField({ label, accept, isMultiple, isDisabled, isFocused, onChoose }: FileFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused === true) input.current?.focus();
  }, [isFocused]);
  return (
    <div>
      <input
        ref={input}
        id={id}
        type="file"
        multiple={isMultiple}
        accept={accept}
        disabled={isDisabled}
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])]);
          target.value = '';
        }}
        className="peer sr-only"
      />
      <label
        htmlFor={id}
        className={buttonClass(
          'secondary',
          'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-accent',
        )}
      >
        {label}
      </label>
    </div>
  );
}
