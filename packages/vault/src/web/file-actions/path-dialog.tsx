import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import type { Tree } from '../tree/build-tree.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Modal } from '../ui/modal.tsx';
import { baseName, parentFolder, validatePath, resolveTarget } from './file-action.ts';
import type { PathAction } from './file-action.ts';
import { findTemplates } from './templates.ts';
import { useFileActions } from './use-file-actions.ts';

type Props = { fileAction: PathAction; onClose: () => void };

/** Asks for a name or a folder, and validates it while the user types. */
export function PathDialog({ fileAction, onClose }: Props) {
  const { data: tree } = useQuery(useServices().queries.files.tree);
  const { arrange: text, edit } = useText();
  const { kind } = fileAction;
  const from = kind === 'create' ? null : fileAction.path;
  const [typed, setTyped] = useState(
    kind === 'create' ? '' : kind === 'rename' ? baseName(fileAction.path) : parentFolder(fileAction.path),
  );
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [template, setTemplate] = useState<string | null>(null);
  const { create, move } = useFileActions(onClose);
  const [field, hint, choices] = [useId(), useId(), useId()];
  if (tree === undefined) return null;

  const target = resolveTarget(fileAction, typed);
  const problem = validatePath(target, tree, from);
  // An empty name is an error only after the user has tried to submit it.
  const isProblemShown = problem !== null && (isSubmitted || problem !== 'empty');
  const running = from === null ? create : move;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIsSubmitted(true);
    if (problem !== null || running.isPending) return;
    if (target === from) onClose();
    else if (from === null) create.mutate({ path: target, template });
    else move.mutate({ from, to: target });
  };
  const subject = kind === 'create' ? fileAction.folder : baseName(fileAction.path);
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
            aria-invalid={isProblemShown}
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
          className={`min-h-5 text-small break-words ${isProblemShown ? 'text-danger' : 'text-soft'}`}
        >
          {isProblemShown ? text.problems[problem] : problem === null ? `vault/${target}` : text.hint}
        </p>
        {kind === 'create' && <TemplateField tree={tree} value={template} onChange={setTemplate} />}
        {running.error !== null && <ErrorNotice error={running.error} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={running.isPending}>
            {text.buttons[kind]}
          </Button>
          <Button onClick={onClose}>{edit.cancel}</Button>
        </div>
      </form>
    </Modal>
  );
}

type TemplateProps = { tree: Tree; value: string | null; onChange: (template: string | null) => void };

/** The templates of the vault to start from; nothing if there are none. */
function TemplateField({ tree, value, onChange }: TemplateProps) {
  const { arrange: text } = useText();
  const id = useId();
  const templates = findTemplates(tree.files.map(({ path }) => path));
  if (templates.length === 0) return null;
  return (
    <label htmlFor={id} className="flex flex-col gap-1 text-small">
      {text.template}
      <select
        id={id}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
        className="h-9 rounded-medium border border-line bg-surface px-2.5 text-base"
      >
        <option value="">{text.noTemplate}</option>
        {templates.map((path) => (
          <option key={path} value={path}>
            {baseName(path).replace(/\.\w+$/, '')}
          </option>
        ))}
      </select>
    </label>
  );
}

const maxFolderSuggestions = 100;

function foldersFor(tree: Tree, typed: string): string[] {
  const query = typed.trim().toLowerCase();
  const folders: string[] = [];
  for (const { path, isFolder } of tree.byPath.values()) {
    if (isFolder && path.toLowerCase().includes(query)) folders.push(path);
    if (folders.length === maxFolderSuggestions) break;
  }
  return folders.toSorted();
}

/** Selects the name without its extension, which users seldom change. */
function selectStem(input: HTMLInputElement): void {
  const dot = input.value.lastIndexOf('.');
  input.setSelectionRange(0, dot > 0 ? dot : input.value.length);
}
