import { useMutation, useQuery } from '@tanstack/react-query';
import { Check, RotateCcw, Undo2, X } from 'lucide-react';
import { parseForgetReason } from '../../contract/index.ts';
import type { Reason } from '../../contract/index.ts';
import type { ConflictChoice } from '../api/history-api.ts';
import type { UpdateRecord } from '../api/updates-api.ts';
import { hasErrorCode } from '../api/api-error.ts';
import { useServices } from '../shell/services.ts';
import { useViewer, WriterOnly } from '../shell/use-viewer.ts';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { useUndo } from './use-undo.ts';
import { useUndoUpdate } from './use-undo-update.ts';

export const ConflictDialog = lazyComponent(
  () => import('./conflict-dialog.tsx').then(({ ConflictDialog: part }) => part),
  { isOverlay: true },
);

/** `as` is the change that the action made; null if there was nothing to do. */
type Act = (choice?: ConflictChoice) => Promise<{ as: string | null }>;

function useMutationWithToast(
  act: () => Promise<unknown>,
  done: string | null = null,
  undo: (() => void) | null = null,
) {
  const { client, toasts } = useServices();
  return useMutation({
    mutationFn: act,
    onSuccess: () => {
      if (done !== null) toasts.show(done, undo ?? undefined);
      return client.invalidateQueries();
    },
    onError: toasts.showError,
  });
}

/**
 * Like `useMutationWithToast`, for an action that may conflict with later edits. On a conflict, the user chooses a version in
 * the dialog, and the action runs again with that choice. The message offers to undo the new change.
 */
export function useConflictAwareAction(action: 'undo' | 'approve', act: Act, done: string) {
  const { client, toasts } = useServices();
  const undoChange = useUndo();
  const mutation = useMutation({
    mutationFn: act,
    onSuccess: ({ as }) => {
      const undo = (id: string) => () => void undoChange(id, undefined, undefined, action === 'undo');
      toasts.show(done, as === null ? undefined : undo(as));
      return client.invalidateQueries();
    },
    onError: (error) => {
      if (!hasErrorCode(error, 'conflict')) toasts.showError(error);
    },
  });
  const dialog = hasErrorCode(mutation.error, 'conflict') && (
    <ConflictDialog
      action={action}
      files={mutation.error.conflicts}
      onChoose={(choice) => mutation.mutate(choice)}
      onClose={() => mutation.reset()}
    />
  );
  return { mutation, dialog };
}

/** Undoes the changes of an update. Later edits are preserved. */
export function UndoButton({ update }: { update: UpdateRecord }) {
  const { api, queries } = useServices();
  const isMade =
    update.state === 'done' && (update.result?.kind === 'filed' || update.decision === 'approved');
  const { data: change } = useQuery({ ...queries.history.change(update.id), enabled: isMade });
  if (!isMade) return null;
  return (
    <UndoAction isUndone={change?.isUndone === true} act={(choice) => api.updates.undo(update.id, choice)} />
  );
}

/** A button that undoes a change, or a badge if it is already undone. */
export function UndoAction({
  isUndone,
  act,
  isCompact = false,
}: {
  isUndone: boolean;
  act: Act;
  /** For a row: without a border, and only an icon on narrow screens. */
  isCompact?: boolean;
}) {
  const { activity } = useText();
  const { mutation: undo, dialog } = useConflictAwareAction('undo', act, activity.undone);
  const { canWrite } = useViewer();
  if (isUndone) return <Badge>{activity.undone}</Badge>;
  if (!canWrite) return null;
  return (
    <>
      <Button
        variant={isCompact ? 'ghost' : 'secondary'}
        className={isCompact ? 'px-2' : ''}
        disabled={undo.isPending}
        onClick={() => undo.mutate(undefined)}
      >
        <Undo2 aria-hidden className="size-4" />
        <span className={isCompact ? 'max-wide:sr-only' : ''}>{activity.undo}</span>
      </Button>
      {dialog}
    </>
  );
}

/** Approves or rejects a held change. What cannot be undone is shown before, and approved by an owner only. */
export function ApprovalButtons({ id, reason }: { id: string; reason: Reason | null }) {
  const { api, fileAction } = useServices();
  const { activity, arrange } = useText();
  const forgets = reason === null ? null : parseForgetReason(reason);
  const { mutation: approve, dialog } = useConflictAwareAction(
    'approve',
    (choice) => api.updates.approve(id, choice),
    activity.states.approved,
  );
  const undoUpdate = useUndoUpdate();
  const reject = useMutationWithToast(
    () => api.updates.reject(id),
    activity.states.rejected,
    () => void undoUpdate(() => api.updates.undo(id)),
  );
  const isBusy = approve.isPending || reject.isPending;
  const { isOwner } = useViewer();
  return (
    <WriterOnly>
      {forgets === null ? (
        <Button data-answer variant="primary" disabled={isBusy} onClick={() => approve.mutate(undefined)}>
          <Check aria-hidden className="size-4" />
          {activity.approve}
        </Button>
      ) : isOwner ? (
        <Button
          data-answer
          variant="primary"
          disabled={isBusy}
          onClick={() => fileAction.set({ kind: 'forget', target: { kind: 'request', id, ...forgets } })}
        >
          {arrange.forget.review}
        </Button>
      ) : (
        <span className="self-center text-small text-soft">{activity.ownerApproves}</span>
      )}
      <Button data-answer variant="danger" disabled={isBusy} onClick={() => reject.mutate()}>
        <X aria-hidden className="size-4" />
        {activity.reject}
      </Button>
      {dialog}
    </WriterOnly>
  );
}

/** The actions that are possible in the current state of an update. */
export function UpdateActions({ update }: { update: UpdateRecord }) {
  const { api } = useServices();
  const { activity } = useText();
  const retry = useMutationWithToast(() => api.updates.retry(update.id));
  const cancel = useMutationWithToast(() => api.updates.cancel(update.id));
  const undoUpdate = useUndoUpdate();
  return (
    <WriterOnly>
      {update.result?.kind === 'held' && update.decision === null && (
        <ApprovalButtons id={update.id} reason={update.result.reason} />
      )}
      {(update.state === 'parked' || update.state === 'cancelled') && (
        <Button disabled={retry.isPending} onClick={() => retry.mutate()}>
          <RotateCcw aria-hidden className="size-4" />
          {activity.retry}
        </Button>
      )}
      {(update.state === 'waiting' || update.state === 'parked') && (
        <Button disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          {activity.cancel}
        </Button>
      )}
      {update.decision === 'rejected' && (
        <Button onClick={() => void undoUpdate(() => api.updates.undo(update.id))}>
          <Undo2 aria-hidden className="size-4" />
          {activity.undo}
        </Button>
      )}
      <UndoButton update={update} />
    </WriterOnly>
  );
}
