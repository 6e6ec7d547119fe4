import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useUndo } from '../activity/use-undo.ts';
import { createId } from '../api/create-id.ts';
import { useDrop } from '../composer/use-drop.ts';
import { useServices } from '../shell/services.ts';
import { Button } from '../ui/button.tsx';
import { CopyableCommand } from '../ui/copyable-command.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { FileField } from '../ui/file-field.tsx';
import { Modal } from '../ui/modal.tsx';
import { Notice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { ImportPlan, useAddedItems } from './import-plan.tsx';
import { useImportText } from './import-text.ts';

const maxArchiveBytes = 90_000_000;
const progressIntervalMs = 500;

/** Shows what an archive would bring into the vault, and imports it as one change. */
export function ImportDialog({ file, onClose }: { file: File | null; onClose: () => void }) {
  const text = useImportText();
  const [archive, setArchive] = useState(file);
  const problem = archive === null ? null : findProblem(archive);
  const plan = usePlan(problem === null ? archive : null);
  const { run, progress } = useImport(onClose);
  const isEmpty = plan.data !== undefined && isNothingNew(plan.data);
  const choose = (chosen: File | undefined): void => {
    if (chosen !== undefined && !run.isPending) setArchive(chosen);
  };
  return (
    <Modal title={text.title} isTitleShown isOpen onClose={run.isPending ? () => undefined : onClose}>
      <div className="flex min-h-0 flex-col gap-3 overflow-auto p-4 text-small">
        <p className="text-soft">{text.explain}</p>
        {!run.isPending && <ChooseArchive isFirst={archive === null} onChoose={choose} />}
        {archive !== null && (
          <p className="font-medium break-words">
            {archive.name}
            {plan.data !== undefined && (
              <span className="font-normal text-soft"> · {text.kinds[plan.data.kind]}</span>
            )}
          </p>
        )}
        {problem === 'not-zip' && <Notice tone="warn" title={text.notZip} />}
        {problem === 'too-large' && (
          <Notice tone="warn" title={text.tooLarge}>
            <CopyableCommand>{`keepsake import ~/Downloads/${archive?.name ?? ''}`}</CopyableCommand>
          </Notice>
        )}
        {plan.isFetching && <Spinner label={text.planning} />}
        {plan.error !== null && <ErrorNotice error={plan.error} />}
        {plan.data !== undefined && <ImportPlan plan={plan.data} />}
        {isEmpty && <Notice title={text.nothing} />}
        {run.error !== null && <ErrorNotice error={run.error} />}
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line p-4">
        {run.isPending ? (
          <div className="flex flex-col gap-1">
            <Spinner label={text.running[progress?.phase ?? 'reading']} />
            {progress !== undefined && progress.total > 1 && (
              <span className="flex items-center gap-2 text-tiny text-soft">
                <progress value={progress.done} max={progress.total} className="accent-accent" />
                {text.of(progress.done, progress.total)}
              </span>
            )}
          </div>
        ) : (
          <>
            <Button
              variant="primary"
              disabled={plan.data === undefined || plan.isFetching || isEmpty}
              onClick={() => archive !== null && run.mutate({ archive, id: createId() })}
            >
              {text.start}
            </Button>
            <Button onClick={onClose}>{text.cancel}</Button>
          </>
        )}
      </div>
    </Modal>
  );
}

type Plan = NonNullable<ReturnType<typeof usePlan>['data']>;

function isNothingNew({ added, replaced }: Plan): boolean {
  return replaced === 0 && Object.values(added).every((count) => count === 0);
}

function findProblem({ name, size }: File): 'not-zip' | 'too-large' | null {
  if (!/\.zip$/i.test(name)) return 'not-zip';
  return size > maxArchiveBytes ? 'too-large' : null;
}

function usePlan(archive: File | null) {
  const { api } = useServices();
  return useQuery({
    queryKey: ['import-plan', archive?.name, archive?.size, archive?.lastModified],
    queryFn: () => api.imports.run(archive as File, { id: createId(), isDryRun: true }),
    enabled: archive !== null,
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  });
}

/** Runs an import and asks for its progress meanwhile. Its message offers to undo all of it. */
function useImport(onClose: () => void) {
  const { api, client, toasts } = useServices();
  const text = useImportText();
  const describeAdded = useAddedItems();
  const undoChange = useUndo();
  const navigate = useNavigate();
  const run = useMutation({
    mutationFn: ({ archive, id }: { archive: File; id: string }) =>
      api.imports.run(archive, { id, isDryRun: false }),
    onSuccess: async (report) => {
      onClose();
      const { change, into } = report;
      toasts.show(
        text.done(describeAdded(report)),
        change === null ? undefined : () => void undoChange(change),
      );
      await client.invalidateQueries();
      void navigate({ to: '/file/$', params: { _splat: into.replace(/^vault\//, '') } });
    },
  });
  const id = run.variables?.id ?? '';
  const { data: progress } = useQuery({
    queryKey: ['import-progress', id],
    queryFn: ({ signal }) => api.imports.progress(id, signal),
    enabled: run.isPending,
    refetchInterval: progressIntervalMs,
    // The import may not have arrived, or be over.
    retry: false,
    gcTime: 0,
  });
  return { run, progress };
}

type ChooseProps = { isFirst: boolean; onChoose: (file: File | undefined) => void };

function ChooseArchive({ isFirst, onChoose }: ChooseProps) {
  const text = useImportText();
  const { isOver, handlers } = useDrop(({ files }) => onChoose(files[0]));
  return (
    <div
      {...handlers}
      className={`flex flex-wrap items-center gap-2 rounded-medium border border-dashed p-3 ${isOver ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
    >
      <FileField
        label={isFirst ? text.choose : text.other}
        accept=".zip,application/zip"
        isFocused={isFirst}
        onChoose={([chosen]) => onChoose(chosen)}
      />
      <span className="text-soft max-wide:hidden">{text.drop}</span>
    </div>
  );
}
