import type { Found } from '../api/files-api.ts';
import { useText } from '../text/use-text.ts';
import { Spinner } from '../ui/spinner.tsx';

type Props = { found: Found | undefined; isBusy: boolean; isDeep: boolean };

/** What ran, what did not and why; before anything is typed, what can be typed. */
export function PaletteFoot({ found, isBusy, isDeep }: Props) {
  const text = useText().palette;
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-1.5 text-tiny text-soft">
      {found === undefined ? (
        Object.values(text.hints).map((hint) => <span key={hint}>{hint}</span>)
      ) : (
        <>
          {isBusy ? (
            <Spinner label={isDeep ? text.deep : text.searching} />
          ) : (
            <span role="status">{text.results(found.sections.length, found.found)}</span>
          )}
          <span>{text.ran(found.stages.map((stage) => text.stages[stage]).join(', '))}</span>
          {found.pending > 0 && <span className="text-warn">{text.pending(found.pending)}</span>}
          {isDeep &&
            found.degraded.map((reason) => (
              <span key={reason} className="text-warn">
                {reason}
              </span>
            ))}
        </>
      )}
    </div>
  );
}
