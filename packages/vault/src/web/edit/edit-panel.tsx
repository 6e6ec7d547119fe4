import { useDeferredValue } from 'react';
import type { FileText } from '../api/files-api.ts';
import { Markdown } from '../file/markdown.tsx';
import { parseNoteFile } from '../file/note.ts';
import { useText } from '../text/use-text.ts';
import { Notice } from '../ui/notice.tsx';
import { CodeEditor } from './code-editor.tsx';
import { ConflictView } from './conflict-view.tsx';
import { EditBar, focusSaveButton } from './edit-bar.tsx';
import { isMarkdown, withProperties } from './note-parts.ts';
import { PropertiesField } from './properties-field.tsx';
import { useEditedText } from './use-edited-text.ts';
import type { EditedText } from './use-edited-text.ts';
import { useUploadImages } from './use-upload-images.ts';
import { useSaveEdit } from './use-save-edit.ts';

type Props = {
  path: string;
  file: FileText;
  /** For a new note: the caret starts at the end, below the generated heading. */
  isNew: boolean;
  onClose: () => void;
};

/** Edits a file. The text is stored as a draft until it is saved or discarded. */
export function EditPanel({ path, file, isNew, onClose }: Props) {
  const text = useText().edit;
  const edited = useEditedText(path, file);
  const saving = useSaveEdit(path, edited, onClose);
  const { save, conflict } = saving;

  if (conflict !== null) {
    const { attempt, theirs } = conflict;
    const version = { base: theirs.text, etag: theirs.etag };
    return (
      <ConflictView
        key={theirs.etag}
        versions={{ path, base: attempt.base, ours: attempt.content, theirs: theirs.text }}
        isSaving={save.isPending}
        error={save.error}
        onSave={(content) => save.mutate({ content, ...version })}
        onBack={(content) => {
          edited.replace(content, version);
          saving.leaveConflict();
        }}
      />
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <EditBar edited={edited} saving={saving} />
      {edited.isRestored && <Notice title={text.restored} />}
      <div className="min-[86rem]:grid min-[86rem]:grid-cols-2 min-[86rem]:gap-6">
        <EditFields
          key={edited.round}
          path={path}
          edited={edited}
          isNew={isNew}
          onSave={() => save.mutate(null)}
        />
        <Preview path={path} text={edited.shown} />
      </div>
    </div>
  );
}

type FieldsProps = Pick<Props, 'path' | 'isNew'> & {
  edited: Pick<EditedText, 'parts' | 'change'>;
  onSave: () => void;
};

/** The properties and the body of a note, or the whole text of another file. The fields are uncontrolled. */
function EditFields({ path, edited: { parts, change }, isNew, onSave }: FieldsProps) {
  const text = useText().edit;
  const uploadImages = useUploadImages(path);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {isMarkdown(path) && (
        <PropertiesField
          initial={parts.properties}
          onChange={(properties) => change({ head: withProperties(parts, properties) })}
        />
      )}
      <CodeEditor
        initial={parts.body}
        firstLine={parts.head.split('\n').length}
        isCaretAtEnd={isNew}
        label={text.label}
        onChange={(body) => change({ body })}
        onImages={uploadImages}
        onSave={onSave}
        onLeave={focusSaveButton}
      />
    </div>
  );
}

/** Shown next to the editor on wide screens. It may lag behind the input. */
function Preview({ path, text: typed }: { path: string; text: string }) {
  const text = useText().edit;
  const shown = useDeferredValue(typed);
  return (
    <section
      aria-label={text.preview}
      tabIndex={0}
      className="prose plain sticky top-[calc(var(--header-height)+var(--bar-height))] hidden max-h-[calc(100vh-19rem)] min-w-0 self-start overflow-y-auto min-[86rem]:block"
    >
      <Markdown body={parseNoteFile(shown).body} path={path} />
    </section>
  );
}
