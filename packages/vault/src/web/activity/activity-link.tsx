import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useText } from '../text/use-text.ts';
import { buttonClass } from '../ui/button.tsx';

/** Link back to the activity page. */
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

/** The same link as a button, for pages with no other action. */
export function ActivityButton() {
  const { back } = useText().activity;
  return (
    <Link to="/activity" className={buttonClass()}>
      {back}
    </Link>
  );
}
