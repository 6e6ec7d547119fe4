import { LoaderCircle } from 'lucide-react';

/** Work is going on; the label says which. */
export function Spinner({ label }: { label: string }) {
  return (
    <span role="status" className="inline-flex items-center gap-2 text-small whitespace-nowrap text-soft">
      <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin text-accent" />
      {label}
    </span>
  );
}
