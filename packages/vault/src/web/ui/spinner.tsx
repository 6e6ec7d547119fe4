import { LoaderCircle } from 'lucide-react';

/** A loading indicator; the label says what is in progress. */
export function Spinner({ label }: { label: string }) {
  return (
    <span role="status" className="inline-flex items-center gap-2 text-small whitespace-nowrap text-soft">
      <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin text-accent" />
      {label}
    </span>
  );
}
