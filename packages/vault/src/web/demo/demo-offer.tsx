import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useServices } from '../shell/services.ts';
import { useStore } from '../live/store.ts';
import { useDayText } from '../text/day-text.ts';
import { Button } from '../ui/button.tsx';
import { demoFile, findDemo } from './demo-script.ts';

/** Offers to play the demonstration, in a vault that `keepsake demo` has made. */
export function DemoOffer() {
  const { api, queries, demo } = useServices();
  const text = useDayText().play;
  const { data: tree } = useQuery(queries.files.tree);
  const { data: status } = useQuery(queries.status);
  const isPlaying = useStore(demo) !== null;
  // Other vaults are not asked for updates and answers.
  const isPossible = tree?.byPath.has(demoFile) === true && status !== undefined && status.role !== 'reader';
  const { data: parts } = useQuery({
    queryKey: ['demo'],
    queryFn: () => findDemo(api),
    enabled: isPossible,
  });
  if (parts == null || isPlaying) return null;
  return (
    <section
      aria-label={text.offer}
      className="flex flex-wrap items-center justify-between gap-3 rounded-large bg-accent-soft px-4 py-3"
    >
      <div className="flex min-w-0 flex-1 basis-64 flex-col">
        <h2 className="text-small font-semibold">{text.offer}</h2>
        <p className="text-small text-soft">{text.offerHint}</p>
      </div>
      <Button variant="primary" onClick={() => demo.set(parts)}>
        <Play aria-hidden className="size-4" />
        {text.start}
      </Button>
    </section>
  );
}
