import { Paperclip, SendHorizontal } from 'lucide-react';
import { useRef } from 'react';
import type { ComposerMode } from '../shell/preferences.ts';
import { useServices } from '../shell/services.ts';
import { WriterOnly } from '../shell/use-viewer.ts';
import { useText } from '../text/use-text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { Shortcut } from '../ui/shortcut.tsx';
import { carryText, focusComposer } from './composer-state.ts';
import { QuestionFolder } from './question-folder.tsx';
import type { Composed } from './use-composed.ts';
import type { Send } from './use-send.ts';

type Props = {
  composed: Pick<Composed, 'mode' | 'item' | 'draft' | 'typed'>;
  isIdle: boolean;
  /** Whether updates wait, because there is no model. */
  isWithoutModel: boolean;
  send: Send;
  onFiles: (files: Iterable<File>) => void;
};

/** Choice of mode, button to attach files, and send button. */
export function ComposerBar({ composed, isIdle, isWithoutModel, send, onFiles }: Props) {
  const text = useText().composer;
  const { mode, item, draft, typed } = composed;
  return (
    <div className={`flex items-center gap-1 p-1.5 wide:gap-2 ${isIdle ? '' : 'flex-wrap'}`}>
      {/* Hidden on narrow screens until the composer is in use. */}
      <div className={`flex items-center gap-1 wide:gap-2 ${isIdle ? 'max-wide:hidden' : ''}`}>
        <WriterOnly>
          <ModeChoice composed={{ mode, item }} />
        </WriterOnly>
        {mode === 'ask' ? (
          <QuestionFolder draft={draft} typed={typed} />
        ) : (
          <WriterOnly>
            <AttachButton onFiles={onFiles} />
          </WriterOnly>
        )}
      </div>
      <span className={`ml-auto hidden text-tiny text-soft ${isIdle ? '' : 'wide:inline'}`}>
        <Shortcut letter="Enter" /> {text.keys}
      </span>
      {isWithoutModel && mode === 'file' && !isIdle && (
        <Button disabled={!send.isReady || send.isPending} onClick={send.saveNote}>
          {text.saveNote}
        </Button>
      )}
      <Button
        variant="primary"
        disabled={!send.isReady || send.isPending}
        onClick={send.start}
        className="max-wide:ml-auto max-[24rem]:px-2"
      >
        <SendHorizontal aria-hidden className="size-4" />
        <span className="max-[24rem]:sr-only">{send.isPending ? text.sending : text.send[mode]}</span>
      </Button>
    </div>
  );
}

function ModeChoice({ composed: { mode, item } }: { composed: Pick<Composed, 'mode' | 'item'> }) {
  const { composer, preferences } = useServices();
  const text = useText().composer;
  const modes: ComposerMode[] = item === null ? ['file', 'ask'] : ['file', 'ask', 'answer'];
  const setMode = (next: ComposerMode): void => {
    carryText(composer, mode, next);
    preferences.set((all) => ({ ...all, mode: next }));
    focusComposer();
  };
  return (
    <SegmentedControl
      label={text.mode}
      value={mode}
      onChange={setMode}
      options={modes.map((value) => ({ value, label: text.modes[value] }))}
    />
  );
}

function AttachButton({ onFiles }: Pick<Props, 'onFiles'>) {
  const text = useText().composer;
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label={text.attach} onClick={() => picker.current?.click()}>
        <Paperclip aria-hidden className="size-4" />
      </IconButton>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={text.attach}
        onChange={(event) => {
          onFiles(event.target.files ?? []);
          event.target.value = '';
        }}
      />
    </>
  );
}
