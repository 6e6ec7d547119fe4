import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useText } from '../text/use-text.ts';
import { buttonClass } from '../ui/button.tsx';

/** From one answer to all of them. */
export function BackToAnswers() {
  const { back } = useText().answers;
  return (
    <Link
      to="/answers"
      className="inline-flex items-center gap-1.5 rounded-small hover:text-ink hover:underline"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {back}
    </Link>
  );
}

/** The same where there is nothing else to do. */
export function ToAnswers() {
  const { back } = useText().answers;
  return (
    <Link to="/answers" className={buttonClass()}>
      {back}
    </Link>
  );
}
