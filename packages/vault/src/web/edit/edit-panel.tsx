import type { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import type { FileText } from '../api/files-api.ts';
import { useText } from '../text/use-text.ts';
import { Notice } from '../ui/notice.tsx';
import { CodeEditor, lineInSight } from './code-editor.tsx';
import { ConflictView } from './conflict-view.tsx';
import { EditBar, focusSaveButton } from './edit-bar.tsx';
import { isMarkdown, withProperties } from './note-parts.ts';
import { PropertiesPanel } from './properties-panel.tsx';
import { useEditedText } from './use-edited-text.ts';
import type { EditedText } from './use-edited-text.ts';
import { useNoteOptions } from './use-note-options.ts';
import { useSaveEdit } from './use-save-edit.ts';

/** Returns the line of the file that is read or edited; null at the start. */
type ReadPlace = () => number | null;

type Props = {
  path: string;
  file: FileText;
  /** For a new note: the caret starts at the end, below the generated heading. */
  isNew: boolean;
  /** The line of the file that was read. */
  startLine: number | null;
  /** Set to a function that returns the line in sight, while the editor is open. */
  place: RefObject<ReadPlace | null>;
  onClose: () => void;
};

/** Edits a file. The text is stored as a draft until it is saved or discarded. */
export function EditPanel({ path, file, isNew, startLine, place, onClose }: Props) {
  const text = useText().edit;
  const edited = useEditedText(path, file);
  const saving = useSaveEdit(path, edited, onClose);
  const { save, conflict } = saving;
  const editor = useRef<EditorView | null>(null);
  const start = useRef<number | 'end' | null>(isNew ? 'end' : startLine);
  const firstLine = edited.parts.head.split('\n').length;
  useEffect(() => {
    place.current = () => (editor.current === null ? null : lineInSight(editor.current, firstLine));
    return () => void (place.current = null);
  }, [place, firstLine]);

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
    // As wide as the text in reading view, next to which are the headings.
    <div className="flex flex-col gap-3 min-[86rem]:pr-64">
      <EditBar edited={edited} saving={saving} editor={isMarkdown(path) ? editor : null} />
      {edited.isRestored && <Notice title={text.restored} />}
      <EditFields
        key={edited.round}
        path={path}
        edited={edited}
        firstLine={firstLine}
        start={start}
        editor={editor}
        onSave={() => save.mutate(null)}
      />
    </div>
  );
}

type FieldsProps = {
  path: string;
  edited: Pick<EditedText, 'parts' | 'change'>;
  firstLine: number;
  start: RefObject<number | 'end' | null>;
  editor: RefObject<EditorView | null>;
  onSave: () => void;
};

/** The properties and the body of a note, or the whole text of another file. The fields are uncontrolled. */
function EditFields({ path, edited: { parts, change }, firstLine, start, editor, onSave }: FieldsProps) {
  const text = useText().edit;
  const note = useNoteOptions(path);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {isMarkdown(path) && (
        <PropertiesPanel
          initial={parts.properties}
          tags={note.names.tags}
          onChange={(properties) => change({ head: withProperties(parts, properties) })}
        />
      )}
      <CodeEditor
        initial={parts.body}
        firstLine={firstLine}
        start={start.current}
        label={text.label}
        phrases={text.phrases}
        note={isMarkdown(path) ? note : undefined}
        editor={editor}
        onChange={(body) => change({ body })}
        onUnmount={(line) => void (start.current = line)}
        onSave={onSave}
        onLeave={focusSaveButton}
      />
    </div>
  );
}
