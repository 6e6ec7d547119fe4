import type { SearchResponse } from '../api/files-api.ts';
import { countNotes } from '../search/count-notes.ts';
import { useText } from '../text/use-text.ts';
import { formatDegraded, formatStages } from './format-stages.ts';
import { Spinner } from '../ui/spinner.tsx';

type Props = { found: SearchResponse | undefined; isBusy: boolean; isDeep: boolean };

/** The search stages that ran, those that did not and why. For an empty query, hints about the syntax. */
export function PaletteFooter({ found, isBusy, isDeep }: Props) {
  const text = useText().palette;
  const counts = found === undefined ? { shown: 0, all: 0 } : countNotes(found, found.sections);
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-1.5 text-tiny text-soft">
      {found === undefined ? (
        Object.values(text.hints).map((hint) => <span key={hint}>{hint}</span>)
      ) : (
        <>
          {isBusy ? (
            <Spinner label={isDeep ? text.deep : text.searching} />
          ) : (
            <span role="status">{text.results(counts.shown, counts.all)}</span>
          )}
          <span>{formatStages(found, text)}</span>
          {found.pending > 0 && <span className="text-warn">{text.pending(found.pending)}</span>}
          {isDeep &&
            formatDegraded(found, text).map((reason) => (
              <span key={reason} className="text-warn">
                {reason}
              </span>
            ))}
        </>
      )}
    </div>
  );
}
