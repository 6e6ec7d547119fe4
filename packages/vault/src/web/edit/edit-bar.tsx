import type { EditorView } from '@codemirror/view';
import type { RefObject } from 'react';
import { StickyBar } from '../file/sticky-bar.tsx';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { EditToolbar } from './edit-toolbar.tsx';
import type { EditedText } from './use-edited-text.ts';
import type { SaveEdit } from './use-save-edit.ts';

type Props = {
  edited: Pick<EditedText, 'isUnsaved' | 'isChangedElsewhere'>;
  saving: Pick<SaveEdit, 'save' | 'compare' | 'discard'>;
  /** Null for a file that is not a note. */
  editor: RefObject<EditorView | null> | null;
};

const saveButtonId = 'edit-save';

export function focusSaveButton(): void {
  document.querySelector<HTMLElement>(`#${saveButtonId}`)?.focus();
}

/** Buttons to save or discard the edit, and notices about conflicts and errors. */
export function EditBar({ edited, saving: { save, compare, discard }, editor }: Props) {
  const text = useText().edit;
  return (
    <StickyBar>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          id={saveButtonId}
          variant="primary"
          disabled={save.isPending}
          onClick={() => save.mutate(null)}
        >
          {save.isPending ? text.saving : text.save}
        </Button>
        <Button onClick={() => void discard()}>{text.discard}</Button>
        {edited.isUnsaved && <span className="text-small text-warn">{text.unsaved}</span>}
      </div>
      {editor !== null && <EditToolbar editor={editor} />}
      {save.error !== null && <ErrorNotice title={text.failed} error={save.error} />}
      {compare.error !== null && <ErrorNotice error={compare.error} />}
      {edited.isChangedElsewhere && !save.isPending && (
        <Notice
          tone="warn"
          title={text.changed}
          actions={<Button onClick={() => compare.mutate()}>{text.compare}</Button>}
        />
      )}
    </StickyBar>
  );
}
