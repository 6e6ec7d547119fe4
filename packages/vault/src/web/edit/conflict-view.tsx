import { useEffect, useMemo, useRef, useState } from 'react';
import { StickyBar } from '../file/sticky-bar.tsx';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Choice as ChoiceGroup } from '../ui/choice.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { countConflicts, mergeNotes, resolveNotes } from './merge.ts';
import type { Choice, Region, Versions } from './merge.ts';

type Props = {
  versions: Versions;
  isSaving: boolean;
  error: Error | null;
  onSave: (text: string) => void;
  /** With what comes of the choices so far. */
  onBack: (text: string) => void;
};

/** Both sides of every place where two changes meet. Until something else is chosen, both are kept. */
export function ConflictView({ versions, isSaving, error, onSave, onBack }: Props) {
  const { conflict: text, edit } = useText();
  const view = useRef<HTMLElement>(null);
  const merge = useMemo(() => mergeNotes(versions), [versions.base, versions.mine, versions.theirs]);
  const regions = [...merge.properties, ...merge.body];
  const count = countConflicts(regions);
  const [choices, setChoices] = useState<readonly Choice[]>(() =>
    Array.from({ length: count }, () => 'both'),
  );
  const result = resolveNotes(merge, versions, choices);
  // It takes the place of the editor, in which one may have been far below.
  useEffect(() => view.current?.focus(), []);
  let place = -1;
  return (
    <section
      ref={view}
      tabIndex={-1}
      aria-label={text.title}
      className="flex scroll-mt-[var(--header-height)] flex-col gap-4 outline-none"
    >
      <StickyBar>
        <div className="flex flex-wrap gap-2">
          <Button look="primary" disabled={isSaving} onClick={() => onSave(result)}>
            {text.save}
          </Button>
          <Button onClick={() => onBack(result)}>{text.back}</Button>
        </div>
        {error !== null && <ErrorNotice title={edit.failed} error={error} />}
      </StickyBar>
      <Notice tone="warn" title={text.title}>
        {count === 0 ? text.clean : text.explain}
      </Notice>
      {count === 0 && (
        <pre className="rounded-medium border border-line bg-surface px-3 py-2 font-mono text-small break-words whitespace-pre-wrap">
          {result}
        </pre>
      )}
      {(count === 0 ? [] : regions).map((region, index) => {
        if (region.kind === 'same')
          return isBlank(region) ? null : (
            <p key={index} className="px-3 text-tiny text-soft">
              {text.same(region.lines.length)}
            </p>
          );
        place += 1;
        const at = place;
        return (
          <Place
            key={index}
            region={region}
            label={text.place(at + 1, count)}
            choice={choices[at] ?? 'both'}
            onChoose={(choice) => setChoices(choices.map((each, other) => (other === at ? choice : each)))}
          />
        );
      })}
    </section>
  );
}

/** As where a note has no properties. */
function isBlank({ lines }: Extract<Region, { kind: 'same' }>): boolean {
  return lines.every((line) => line === '');
}

type PlaceProps = {
  region: Extract<Region, { kind: 'conflict' }>;
  label: string;
  choice: Choice;
  onChoose: (choice: Choice) => void;
};

function Place({ region, label, choice, onChoose }: PlaceProps) {
  const text = useText().conflict;
  return (
    <div className="overflow-hidden rounded-medium border border-line-strong bg-surface">
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-3 py-2">
        <span className="text-small font-medium">{label}</span>
        <ChoiceGroup
          label={label}
          value={choice}
          onChange={onChoose}
          options={[
            { value: 'mine', label: text.mine },
            { value: 'theirs', label: text.theirs },
            { value: 'both', label: text.useBoth },
          ]}
        />
      </div>
      <div className="grid wide:grid-cols-2 wide:divide-x wide:divide-line">
        <Side title={text.mine} lines={region.mine} isKept={choice !== 'theirs'} />
        <Side title={text.theirs} lines={region.theirs} isKept={choice !== 'mine'} />
      </div>
    </div>
  );
}

function Side({ title, lines, isKept }: { title: string; lines: readonly string[]; isKept: boolean }) {
  const text = useText().conflict;
  return (
    <div className={`min-w-0 px-3 py-2 ${isKept ? 'bg-good-soft' : ''}`}>
      <h3 className="text-tiny font-semibold text-soft">{title}</h3>
      <pre
        className={`mt-1 font-mono text-small break-words whitespace-pre-wrap ${isKept ? '' : 'text-soft line-through'}`}
      >
        {lines.length === 0 ? <em>{text.nothing}</em> : lines.join('\n')}
      </pre>
    </div>
  );
}
