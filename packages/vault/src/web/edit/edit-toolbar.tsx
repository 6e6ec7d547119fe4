import { startCompletion } from '@codemirror/autocomplete';
import { redo, undo } from '@codemirror/commands';
import { openSearchPanel } from '@codemirror/search';
import type { Command, EditorView } from '@codemirror/view';
import { Bold, Brackets, Heading, Italic, List, ListTodo, Redo2, Search, Undo2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { cycleHeading, styleLines, toggleMark } from './format-commands.ts';

type ToolName = 'heading' | 'bold' | 'italic' | 'list' | 'task' | 'link' | 'undo' | 'redo' | 'find';

/** Starts a wikilink and offers the notes of the vault. */
const startWikilink: Command = (view) => {
  view.dispatch(view.state.replaceSelection('[['), { userEvent: 'input' });
  return startCompletion(view);
};

const tools: readonly [ToolName, LucideIcon, Command][] = [
  ['heading', Heading, cycleHeading],
  ['bold', Bold, toggleMark('**')],
  ['italic', Italic, toggleMark('*')],
  ['list', List, styleLines('bullet')],
  ['task', ListTodo, styleLines('task')],
  ['link', Brackets, startWikilink],
  ['undo', Undo2, undo],
  ['redo', Redo2, redo],
  ['find', Search, openSearchPanel],
];

/** Buttons for what a keyboard has keys for; shown on touch screens, and on narrow ones at the bottom, above the keyboard. */
export function EditToolbar({ editor }: { editor: RefObject<EditorView | null> }) {
  const text = useText().edit;
  const bar = useRef<HTMLDivElement>(null);
  useAboveKeyboard(bar);
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={text.toolbar}
      className="hidden overflow-x-auto border-line bg-surface p-0.5 max-wide:fixed max-wide:inset-x-0 max-wide:bottom-0 max-wide:flex max-wide:border-t max-wide:p-1 wide:rounded-medium wide:border wide:pointer-coarse:flex"
    >
      {tools.map(([name, Icon, run]) => (
        <IconButton
          key={name}
          label={text.tools[name]}
          className="min-w-8 flex-1"
          // Keeps the focus in the editor, so that the keyboard of the phone stays open.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            if (editor.current === null) return;
            run(editor.current);
            if (name !== 'find') editor.current.focus();
          }}
        >
          <Icon aria-hidden className="size-4" />
        </IconButton>
      ))}
    </div>
  );
}

/** Keeps a bar at the bottom above the keyboard where it covers the page instead of making it smaller, as on iPhones. */
function useAboveKeyboard(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const seen = window.visualViewport;
    if (seen === null) return;
    const move = (): void => {
      const covered = Math.max(0, window.innerHeight - seen.height - seen.offsetTop);
      if (bar.current !== null) bar.current.style.bottom = `${covered}px`;
    };
    move();
    seen.addEventListener('resize', move);
    seen.addEventListener('scroll', move);
    return () => {
      seen.removeEventListener('resize', move);
      seen.removeEventListener('scroll', move);
    };
  }, [bar]);
}
