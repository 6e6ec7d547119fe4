import { useEffect, useMemo, useRef, useState } from 'react';
import { StickyBar } from '../file/sticky-bar.tsx';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { ConflictColumns } from '../ui/conflict-columns.tsx';
import { SegmentedControl as ChoiceGroup } from '../ui/segmented-control.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { countConflicts, mergeNotes, resolveNotes } from './merge.ts';
import type { MergeChoice, MergeRegion, Versions } from './merge.ts';

type Props = {
  versions: Versions;
  isSaving: boolean;
  error: Error | null;
  onSave: (text: string) => void;
  /** Called with the text that results from the choices so far. */
  onBack: (text: string) => void;
};

/** Shows both sides of each conflict. By default, both are kept. */
export function ConflictView({ versions, isSaving, error, onSave, onBack }: Props) {
  const { conflict: text, edit } = useText();
  const view = useRef<HTMLElement>(null);
  const merge = useMemo(() => mergeNotes(versions), [versions.base, versions.ours, versions.theirs]);
  const regions = [...merge.properties, ...merge.body];
  const count = countConflicts(regions);
  const [choices, setChoices] = useState<readonly MergeChoice[]>(() =>
    Array.from({ length: count }, () => 'both'),
  );
  const result = resolveNotes(merge, versions, choices);
  // Scrolls to the top of this view, because the editor it replaces may have been scrolled down.
  useEffect(() => view.current?.focus(), []);
  let conflictIndex = -1;
  return (
    <section
      ref={view}
      tabIndex={-1}
      aria-label={text.title}
      className="flex scroll-mt-[var(--header-height)] flex-col gap-4 outline-none"
    >
      <StickyBar>
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" disabled={isSaving} onClick={() => onSave(result)}>
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
        conflictIndex += 1;
        const at = conflictIndex;
        return (
          <ConflictRegion
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

/** Whether a region has no text, for example the properties of a note without any. */
function isBlank({ lines }: Extract<MergeRegion, { kind: 'same' }>): boolean {
  return lines.every((line) => line === '');
}

type ConflictRegionProps = {
  region: Extract<MergeRegion, { kind: 'conflict' }>;
  label: string;
  choice: MergeChoice;
  onChoose: (choice: MergeChoice) => void;
};

function ConflictRegion({ region, label, choice, onChoose }: ConflictRegionProps) {
  const text = useText().conflict;
  return (
    <ConflictColumns
      label={label}
      sides={[
        { title: text.mine, lines: region.ours, isKept: choice !== 'theirs' },
        { title: text.theirs, lines: region.theirs, isKept: choice !== 'ours' },
      ]}
    >
      <ChoiceGroup
        label={label}
        value={choice}
        onChange={onChoose}
        options={[
          { value: 'ours', label: text.mine },
          { value: 'theirs', label: text.theirs },
          { value: 'both', label: text.useBoth },
        ]}
      />
    </ConflictColumns>
  );
}
