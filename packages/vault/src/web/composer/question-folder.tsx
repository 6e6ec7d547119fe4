import { useQuery } from '@tanstack/react-query';
import { questionFolder, setQuestionFolder } from '../../contract/index.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { focusComposer, setDraftText } from './composer-state.ts';
import type { Composed } from './use-composed.ts';

/** Chooses the folder that a question is about. It is part of the question: `projects/roof/ When is it repaired?`. */
export function QuestionFolder({ draft, typed }: Pick<Composed, 'draft' | 'typed'>) {
  const { composer, queries } = useServices();
  const text = useText().composer;
  const { data: tree } = useQuery(queries.files.tree);
  const folders = [...(tree?.byPath.values() ?? [])]
    .filter(({ path, isFolder, depth }) => isFolder && depth <= 2 && !/\s/.test(path))
    .map(({ path }) => path)
    .toSorted();
  const chosen = questionFolder(typed) ?? '';
  return (
    <select
      aria-label={text.folder}
      value={folders.includes(chosen) ? chosen : ''}
      onChange={({ target }) => {
        setDraftText(composer, draft, setQuestionFolder(typed, target.value));
        focusComposer();
      }}
      className="h-8 max-w-44 min-w-0 rounded-medium border border-line bg-surface px-2 text-small text-ink"
    >
      <option value="">{text.wholeVault}</option>
      {folders.map((path) => (
        <option key={path} value={path}>
          {path}
        </option>
      ))}
    </select>
  );
}
