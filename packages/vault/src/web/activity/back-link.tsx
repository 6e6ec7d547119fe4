import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useText } from '../text/use-text.ts';
import { buttonClass } from '../ui/button.tsx';

/** From one update or answer to all of them. */
export function BackLink() {
  const { back } = useText().activity;
  return (
    <Link
      to="/activity"
      className="inline-flex items-center gap-1.5 rounded-small hover:text-ink hover:underline"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {back}
    </Link>
  );
}

/** The same where there is nothing else to do. */
export function ToActivity() {
  const { back } = useText().activity;
  return (
    <Link to="/activity" className={buttonClass()}>
      {back}
    </Link>
  );
}
