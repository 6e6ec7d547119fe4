import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import type { Tree } from '../tree/build-tree.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Modal } from '../ui/modal.tsx';
import { nameIn, parentOf, problemWith, targetOf } from './arranging.ts';
import type { Arranging } from './arranging.ts';
import { useArrange } from './use-arrange.ts';

type Props = { arranging: Exclude<Arranging, { kind: 'menu' | 'delete' }>; onClose: () => void };

/** Asks for a name or a folder, and says why one cannot be had before it is asked for. */
export function ArrangeDialog({ arranging, onClose }: Props) {
  const { data: tree } = useQuery(useServices().queries.files.tree);
  const { arrange: text, edit } = useText();
  const { kind } = arranging;
  const from = kind === 'create' ? null : arranging.path;
  const [typed, setTyped] = useState(
    kind === 'create' ? '' : kind === 'rename' ? nameIn(arranging.path) : parentOf(arranging.path),
  );
  const [isTried, setIsTried] = useState(false);
  const { create, move } = useArrange(onClose);
  const [field, hint, choices] = [useId(), useId(), useId()];
  if (tree === undefined) return null;

  const target = targetOf(arranging, typed);
  const problem = problemWith(target, tree, from);
  // What is empty is not wrong before it was sent.
  const isSaid = problem !== null && (isTried || problem !== 'empty');
  const running = from === null ? create : move;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIsTried(true);
    if (problem !== null || running.isPending) return;
    if (target === from) onClose();
    else if (from === null) create.mutate(target);
    else move.mutate({ from, to: target });
  };
  const subject = kind === 'create' ? arranging.folder : nameIn(arranging.path);
  return (
    <Modal title={text.titles[kind](subject)} isTitleShown isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3 p-4">
        <label htmlFor={field} className="flex flex-col gap-1 text-small">
          {text.fields[kind]}
          <input
            id={field}
            type="text"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            list={kind === 'move' ? choices : undefined}
            aria-describedby={hint}
            aria-invalid={isSaid}
            onChange={(event) => setTyped(event.target.value)}
            onFocus={(event) => selectStem(event.target)}
            className="h-9 rounded-medium border border-line bg-surface px-2.5 text-base"
          />
        </label>
        {kind === 'move' && (
          <datalist id={choices}>
            {foldersFor(tree, typed).map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
        )}
        <p
          id={hint}
          role="status"
          className={`min-h-5 text-small break-words ${isSaid ? 'text-danger' : 'text-soft'}`}
        >
          {isSaid ? text.problems[problem] : problem === null ? `vault/${target}` : text.hint}
        </p>
        {running.error !== null && <ErrorNotice error={running.error} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" disabled={running.isPending}>
            {text.buttons[kind]}
          </Button>
          <Button onClick={onClose}>{edit.cancel}</Button>
        </div>
      </form>
    </Modal>
  );
}

const most = 100;

function foldersFor(tree: Tree, typed: string): string[] {
  const wanted = typed.trim().toLowerCase();
  const folders: string[] = [];
  for (const { path, isFolder } of tree.byPath.values()) {
    if (isFolder && path.toLowerCase().includes(wanted)) folders.push(path);
    if (folders.length === most) break;
  }
  return folders.toSorted();
}

/** The ending is seldom what one wants to change. */
function selectStem(input: HTMLInputElement): void {
  const dot = input.value.lastIndexOf('.');
  input.setSelectionRange(0, dot > 0 ? dot : input.value.length);
}
