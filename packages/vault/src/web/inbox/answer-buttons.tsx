import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { answerProps } from './use-inbox-keys.ts';

type Props = {
  label: string;
  /** The text of each button, and what it does. `first` is the number of the first one on the keyboard. */
  answers: readonly { text: string; onChoose: () => void }[];
  first?: number;
  isDisabled: boolean;
};

/** One button per answer, each with the number that presses it. */
export function AnswerButtons({ label, answers, first = 1, isDisabled }: Props) {
  const { keys } = useText().inbox;
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-2">
      {answers.map(({ text, onChoose }, index) => (
        <Button
          key={text}
          {...answerProps}
          title={keys}
          disabled={isDisabled}
          className="h-auto min-h-8 max-w-full py-1 text-left whitespace-normal"
          onClick={onChoose}
        >
          <kbd aria-hidden className="rounded-small bg-hover px-1.5 text-tiny text-soft max-wide:hidden">
            {index + first}
          </kbd>
          <span className="min-w-0 break-words">{text}</span>
        </Button>
      ))}
    </div>
  );
}
