import type { ImportReport } from '../api/imports-api.ts';
import { useFormat } from '../text/format.ts';
import { PathLabel } from '../ui/path-label.tsx';
import { useImportText } from './import-text.ts';

/** The new items in words: `12 notes, 3 images`. */
export function useAddedItems(): (report: ImportReport) => string {
  const text = useImportText();
  return ({ added }) =>
    (Object.keys(text.added) as (keyof ImportReport['added'])[])
      .filter((category) => added[category] > 0)
      .map((category) => text.added[category](added[category]))
      .join(', ');
}

/** What an import would add, replace and skip. */
export function ImportPlan({ plan }: { plan: ImportReport }) {
  const text = useImportText();
  const format = useFormat();
  const describeAdded = useAddedItems();
  const rows = [
    [text.new, describeAdded(plan)],
    [text.replaced, plan.replaced === 0 ? '' : format.number(plan.replaced)],
    [text.unchanged, plan.unchanged === 0 ? '' : format.number(plan.unchanged)],
  ].filter(([, value]) => value !== '');
  return (
    <>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
        {rows.map(([name, value]) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-soft">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <dt className="text-soft">{text.into}</dt>
        <dd className="min-w-0">
          <PathLabel path={plan.into.replace(/^vault\//, '')} />
        </dd>
      </dl>
      {(['leftOut', 'kept', 'secrets'] as const).map(
        (list) =>
          plan[list].count > 0 && <Items key={list} title={text[list](plan[list].count)} of={plan[list]} />,
      )}
    </>
  );
}

function Items({ title, of }: { title: string; of: ImportReport['kept'] }) {
  const text = useImportText();
  return (
    <details>
      <summary className="cursor-pointer">{title}</summary>
      <ul className="mt-1 max-h-48 overflow-auto text-tiny" tabIndex={0}>
        {of.items.map(({ path, reason }) => (
          <li key={path} className="break-words">
            {path} <span className="text-soft">{reason}</span>
          </li>
        ))}
        {of.count > of.items.length && <li className="text-soft">{text.more(of.count - of.items.length)}</li>}
      </ul>
    </details>
  );
}
