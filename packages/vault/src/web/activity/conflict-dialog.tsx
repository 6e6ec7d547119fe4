import { useState } from 'react';
import type { ConflictingFile } from '../../contract/index.ts';
import type { ConflictChoice } from '../api/history-api.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { ConflictColumns } from '../ui/conflict-columns.tsx';
import { Modal } from '../ui/modal.tsx';
import { PathLabel } from '../ui/path-label.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';

type Props = {
  /** The action that conflicts with later edits. */
  action: 'undo' | 'approve';
  files: readonly ConflictingFile[];
  onChoose: (choice: ConflictChoice) => void;
  onClose: () => void;
};

/** Shows the lines that were edited after a change in two columns, and asks which of them to keep. By default, both are. */
export function ConflictDialog({ action, files, onChoose, onClose }: Props) {
  const { activity, edit } = useText();
  const text = activity.conflict;
  const [choice, setChoice] = useState<ConflictChoice>('both');
  return (
    <Modal title={text.title} isTitleShown isOpen onClose={onClose}>
      <div className="flex min-h-0 flex-col gap-3 p-4">
        <p className="text-small text-soft">{text.explain}</p>
        <SegmentedControl
          label={text.title}
          value={choice}
          onChange={setChoice}
          options={(['keep', 'replace', 'both'] as const).map((value) => ({ value, label: text[value] }))}
        />
        <div className="flex min-h-0 flex-col gap-3 overflow-y-auto" tabIndex={0} role="group">
          {files.map(({ path, hunks }) =>
            hunks.length === 0 ? (
              <p key={path} className="text-small">
                <PathLabel path={path} /> · {text.wholeFile}
              </p>
            ) : (
              hunks.map(({ line, current, incoming }) => (
                <ConflictColumns
                  key={`${path}-${line}`}
                  label={
                    <>
                      <PathLabel path={path} />
                      <span className="text-soft"> · {text.atLine(line)}</span>
                    </>
                  }
                  sides={[
                    { title: text.current, lines: current, isKept: choice !== 'replace' },
                    { title: text.incoming[action], lines: incoming, isKept: choice !== 'keep' },
                  ]}
                />
              ))
            ),
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" onClick={() => onChoose(choice)}>
            {activity[action]}
          </Button>
          <Button onClick={onClose}>{edit.cancel}</Button>
        </div>
      </div>
    </Modal>
  );
}
