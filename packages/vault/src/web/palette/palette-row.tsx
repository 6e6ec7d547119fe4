import { CornerDownLeft, FileText } from 'lucide-react';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { PathLabel } from '../ui/path-label.tsx';
import type { PaletteItem } from './palette-item.ts';
import { normalizeText } from './normalize-text.ts';

type Props = { entry: PaletteItem; id: string; isActive: boolean; onHover: () => void };

export function PaletteRow({ entry, id, isActive, onHover }: Props) {
  const drafted = useStore(useServices().drafts);
  const { edit } = useText();
  const hasDraft = entry.path !== undefined && drafted[entry.path.replace(/^vault\//, '')] !== undefined;
  const Icon = entry.icon ?? FileText;
  return (
    // The input handles the keyboard and announces the active row.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      // Keeps the focus in the input when a row is clicked.
      onMouseDown={(event) => event.preventDefault()}
      onClick={entry.run}
      onPointerMove={onHover}
      className={`flex cursor-pointer items-start gap-3 rounded-medium px-2 py-1.5 text-small ${isActive ? 'bg-accent-soft' : ''}`}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-soft" />
      <div className="min-w-0 flex-1">
        {entry.path === undefined ? (
          <>
            {entry.title} {entry.hint !== undefined && <span className="text-soft">{entry.hint}</span>}
          </>
        ) : (
          <PathLabel path={entry.path} />
        )}
        {hasDraft && <span className="ml-2 text-tiny text-warn">{edit.unsaved}</span>}
        {entry.line !== undefined && <span className="text-soft">:{entry.line}</span>}
        {entry.excerpt !== undefined && <Excerpt text={entry.excerpt} words={entry.words ?? ''} />}
        {entry.notes?.map((note) => (
          <p key={note} className="mt-0.5 text-tiny break-words text-warn">
            {note}
          </p>
        ))}
      </div>
      {isActive && <CornerDownLeft aria-hidden className="mt-0.5 size-4 shrink-0 text-soft" />}
    </div>
  );
}

/** The first lines that contain a search term, at most three. */
function Excerpt({ text, words }: { text: string; words: string }) {
  const terms = normalizeText(words).split(/\s+/).filter(Boolean);
  const lines = withoutProperties(text.split('\n').map((line) => line.replace(/^\s*\d+\s*\| ?/, ''))).map(
    (line) => withoutCellBars(line.replace(/^#{1,6} /, '')),
  );
  const hits = lines.filter((line) => terms.some((word) => normalizeText(line).includes(word)));
  return (
    <div className="mt-0.5 text-tiny text-soft">
      {(hits.length > 0 ? hits : lines.filter((line) => line.trim() !== ''))
        .slice(0, 3)
        .map((line, index) => (
          <p key={index} className="truncate">
            <Marked line={line} words={terms} />
          </p>
        ))}
    </div>
  );
}

/** A row of a table as text. */
function withoutCellBars(line: string): string {
  const row = /^\|(.*)\|\s*$/.exec(line)?.[1];
  return row === undefined
    ? line
    : row
        .split('|')
        .map((cell) => cell.trim())
        .filter(Boolean)
        .join(' · ');
}

function withoutProperties(lines: readonly string[]): readonly string[] {
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  return lines.slice(end + 1);
}

function Marked({ line, words }: { line: string; words: readonly string[] }) {
  const lower = normalizeText(line);
  const [first] = words
    .map((word) => ({ word, at: lower.indexOf(word) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at);
  // Normalizing may change the length; offsets would then be wrong.
  if (first === undefined || lower.length !== line.length) return line;
  const end = first.at + first.word.length;
  // The line starts near its first match, so that the match is not cut off.
  const maxLead = window.innerWidth < 640 ? 24 : 60;
  const start = first.at > maxLead ? line.indexOf(' ', first.at - maxLead / 2) + 1 : 0;
  return (
    <>
      {start > 0 && '…'}
      {line.slice(start, first.at)}
      <mark className="rounded-small bg-mark text-ink">{line.slice(first.at, end)}</mark>
      {line.slice(end)}
    </>
  );
}
