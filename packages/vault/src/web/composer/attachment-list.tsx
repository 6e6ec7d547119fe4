import { FileText, X } from 'lucide-react';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { removeAttachment } from './composer-state.ts';
import type { ComposerAttachment } from './composer-state.ts';

/** The attached files, each with a preview. */
export function AttachmentList() {
  const { composer } = useServices();
  const text = useText().composer;
  const { attached } = useStore(composer);
  if (attached.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2 px-2 pt-2">
      {attached.map(({ id, name, preview, inspection }) => (
        <li
          key={id}
          className={`flex min-h-11 items-center gap-2 rounded-medium border bg-page py-1 pr-1 pl-1.5 text-small ${inspection.state === 'rejected' ? 'border-danger' : 'max-w-64 border-line'}`}
        >
          {preview === null ? (
            <FileText aria-hidden className="size-5 shrink-0 text-soft" />
          ) : (
            <img src={preview} alt="" className="size-8 shrink-0 rounded-small object-cover" />
          )}
          <span className="flex min-w-0 flex-1 flex-col">
            <span className="truncate" title={name}>
              {name}
            </span>
            <InspectionStatus inspection={inspection} />
          </span>
          <IconButton label={text.remove(name)} onClick={() => removeAttachment(composer, id)}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

/** Says whether the server is still reading a document, why the document was rejected, or what was found in it. */
function InspectionStatus({ inspection }: { inspection: ComposerAttachment['inspection'] }) {
  const text = useText().composer;
  if (inspection.state === 'pending') return <Spinner label={text.reading} />;
  if (inspection.state === 'rejected')
    return <span className="text-tiny text-danger">{inspection.reason}</span>;
  if (inspection.found === null) return null;
  const { type, pages, attachments, warnings } = inspection.found;
  const parts = [
    text.kinds[type] ?? type,
    ...(pages === null ? [] : [text.pages(pages)]),
    ...(attachments === 0 ? [] : [text.attachments(attachments)]),
    ...(warnings.length === 0 ? [] : [text.warnings(warnings.length)]),
  ];
  return (
    <span className="text-tiny text-soft" title={warnings.join('\n')}>
      {parts.join(' · ')}
    </span>
  );
}
