import { useNavigate } from '@tanstack/react-router';
import { Pause, Play, SkipForward, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useServices } from '../shell/services.ts';
import { useDayText } from '../text/day-text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { createDemo, demoFile } from './demo-script.ts';
import type { DemoParts, DemoStep } from './demo-script.ts';

/** Nine steps take about a minute. */
const stepMs = 6_500;

/** Plays the demonstration: opens the page of each step and says what happens. It can be paused, skipped and stopped at any time. */
export function DemoPlayer({ parts }: { parts: DemoParts }) {
  const { api, client, demo, toasts } = useServices();
  const text = useDayText().play;
  const open = useOpenPage(parts);
  const { steps, restore } = useMemo(() => createDemo(api, parts), [api, parts]);
  const [index, setIndex] = useState(0);
  const [isPaused, setIsPaused] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  /** The last step that began, because an effect runs twice in development. */
  const begun = useRef(-1);
  const step = steps[index];
  const isLast = index === steps.length - 1;

  const stop = async (): Promise<void> => {
    demo.set(null);
    await restore().catch((error: unknown) => toasts.showError(error));
    await client.invalidateQueries();
  };
  useEffect(() => {
    if (step === undefined || begun.current === index) return;
    begun.current = index;
    const begin = async (): Promise<void> => {
      setIsBusy(true);
      try {
        await open(step.page);
        await step.act?.();
        await client.invalidateQueries();
      } catch {
        toasts.showError(new Error(text.failed));
        await stop();
      } finally {
        setIsBusy(false);
      }
    };
    void begin();
  });
  const next = (): void => {
    if (isLast) void stop();
    else setIndex((present) => present + 1);
  };
  useEffect(() => {
    if (isPaused || isBusy) return;
    const timer = setTimeout(next, stepMs);
    return () => clearTimeout(timer);
  });
  if (step === undefined) return null;
  const { note } = text.steps;
  return (
    <section
      aria-label={text.title}
      className="fixed right-4 bottom-28 left-4 z-40 flex flex-col gap-2 overflow-hidden rounded-large border border-accent bg-raised p-4 pt-5 shadow-raised wide:left-auto wide:w-104"
    >
      <span
        aria-hidden
        className="absolute top-0 left-0 h-1 bg-accent transition-[width] duration-500"
        style={{ width: `${((index + 1) / steps.length) * 100}%` }}
      />
      <p role="status" className="min-h-12 text-base">
        {step.name === 'note' ? note(parts.note) : text.steps[step.name]}
      </p>
      <div className="flex items-center gap-2">
        <span className="flex-1 text-tiny text-soft tabular-nums">{text.step(index + 1, steps.length)}</span>
        <IconButton
          label={isPaused ? text.resume : text.pause}
          onClick={() => setIsPaused((present) => !present)}
        >
          {isPaused ? <Play aria-hidden className="size-4" /> : <Pause aria-hidden className="size-4" />}
        </IconButton>
        <IconButton label={text.stop} onClick={() => void stop()}>
          <X aria-hidden className="size-4" />
        </IconButton>
        <Button variant="primary" disabled={isBusy} onClick={next}>
          <SkipForward aria-hidden className="size-4" />
          {text.next}
        </Button>
      </div>
    </section>
  );
}

function useOpenPage({ update, answer }: DemoParts): (page: DemoStep['page']) => Promise<void> {
  const navigate = useNavigate();
  return async ({ to, hash = '' }) => {
    if (to === 'home') await navigate({ to: '/' });
    if (to === 'update') await navigate({ to: '/activity/$id', params: { id: update } });
    if (to === 'answer') await navigate({ to: '/answers/$id', params: { id: answer } });
    if (to === 'file') await navigate({ to: '/file/$', params: { _splat: demoFile }, hash });
  };
}
