import { useMutation, useQuery } from '@tanstack/react-query';
import { Check, RotateCcw, Undo2, X } from 'lucide-react';
import type { ConflictChoice } from '../api/history-api.ts';
import type { UpdateRecord } from '../api/updates-api.ts';
import { isCode } from '../api/problem.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';

export const ConflictDialog = lazyPart(
  () => import('./conflict-dialog.tsx').then(({ ConflictDialog: part }) => part),
  { isAbove: true },
);

function useAct(act: () => Promise<unknown>, done: string | null = null) {
  const { client, toasts } = useServices();
  return useMutation({
    mutationFn: act,
    onSuccess: () => {
      if (done !== null) toasts.say(done);
      return client.invalidateQueries();
    },
    onError: toasts.fail,
  });
}

/** The same, for what may meet lines that were edited since: then the person chooses, and it is done again. */
export function useDecision(act: (choice?: ConflictChoice) => Promise<unknown>, done: string) {
  const { client, toasts } = useServices();
  const mutation = useMutation({
    mutationFn: act,
    onSuccess: () => {
      toasts.say(done);
      return client.invalidateQueries();
    },
    onError: (error) => {
      if (!isCode(error, 'conflict')) toasts.fail(error);
    },
  });
  const dialog = isCode(mutation.error, 'conflict') && (
    <ConflictDialog
      message={mutation.error.message}
      onChoose={(choice) => mutation.mutate(choice)}
      onClose={() => mutation.reset()}
    />
  );
  return { mutation, dialog };
}

/** Takes back what an update did; edits made since stay. */
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

/** Says what was taken back already; takes it back otherwise. */
export function UndoAction({
  isUndone,
  act,
}: {
  isUndone: boolean;
  act: (choice?: ConflictChoice) => Promise<unknown>;
}) {
  const { activity } = useText();
  const { mutation: undo, dialog } = useDecision(act, activity.undone);
  if (isUndone) return <Badge>{activity.undone}</Badge>;
  return (
    <>
      <Button disabled={undo.isPending} onClick={() => undo.mutate(undefined)}>
        <Undo2 aria-hidden className="size-4" />
        {activity.undo}
      </Button>
      {dialog}
    </>
  );
}

/** For a change that waits until the person agrees. */
export function DecideButtons({ id }: { id: string }) {
  const { api } = useServices();
  const { activity } = useText();
  const { mutation: approve, dialog } = useDecision(
    (choice) => api.updates.approve(id, choice),
    activity.states.approved,
  );
  const reject = useAct(() => api.updates.reject(id), activity.states.rejected);
  const isBusy = approve.isPending || reject.isPending;
  return (
    <>
      <Button look="primary" disabled={isBusy} onClick={() => approve.mutate(undefined)}>
        <Check aria-hidden className="size-4" />
        {activity.approve}
      </Button>
      <Button look="danger" disabled={isBusy} onClick={() => reject.mutate()}>
        <X aria-hidden className="size-4" />
        {activity.reject}
      </Button>
      {dialog}
    </>
  );
}

/** What can be done with an update, as it stands. */
export function UpdateActions({ update }: { update: UpdateRecord }) {
  const { api } = useServices();
  const { activity } = useText();
  const retry = useAct(() => api.updates.retry(update.id));
  const cancel = useAct(() => api.updates.cancel(update.id));
  return (
    <>
      {update.result?.kind === 'held' && update.decision === null && <DecideButtons id={update.id} />}
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
      <UndoButton update={update} />
    </>
  );
}
