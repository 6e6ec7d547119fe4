import { useMemo, useState } from 'react';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Choice as ChoiceGroup } from '../ui/choice.tsx';
import { Notice } from '../ui/notice.tsx';
import { mergeTexts, resolveRegions } from './merge.ts';
import type { Choice, Region } from './merge.ts';

type Props = {
  base: string;
  mine: string;
  theirs: string;
  isSaving: boolean;
  onSave: (text: string) => void;
  /** With what comes of the choices so far. */
  onBack: (text: string) => void;
};

/** Both sides of every place where two changes meet. Until something else is chosen, both are kept. */
export function ConflictView({ base, mine, theirs, isSaving, onSave, onBack }: Props) {
  const text = useText().conflict;
  const regions = useMemo(() => mergeTexts(base, mine, theirs), [base, mine, theirs]);
  const count = regions.filter(({ kind }) => kind === 'conflict').length;
  const [choices, setChoices] = useState<readonly Choice[]>(() =>
    Array.from({ length: count }, () => 'both'),
  );
  const result = resolveRegions(regions, choices);
  let place = -1;
  return (
    <section aria-label={text.title} className="flex flex-col gap-4">
      <Notice tone="warn" title={text.title}>
        {count === 0 ? text.clean : text.explain}
      </Notice>
      {regions.map((region, index) => {
        if (region.kind === 'same') return <Same key={index} lines={region.lines} isAll={count === 0} />;
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
      <div className="flex flex-wrap gap-2">
        <Button look="primary" disabled={isSaving} onClick={() => onSave(result)}>
          {text.save}
        </Button>
        <Button onClick={() => onBack(result)}>{text.back}</Button>
      </div>
    </section>
  );
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

function Same({ lines, isAll }: { lines: readonly string[]; isAll: boolean }) {
  const text = useText().conflict;
  if (isAll)
    return (
      <pre className="rounded-medium border border-line bg-surface px-3 py-2 font-mono text-small break-words whitespace-pre-wrap">
        {lines.join('\n')}
      </pre>
    );
  return <p className="px-3 text-tiny text-soft">{text.same(lines.length)}</p>;
}
