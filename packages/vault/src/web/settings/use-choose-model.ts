import { useMutation } from '@tanstack/react-query';
import type { ModelSettingsUpdate } from '../api/settings-api.ts';
import { useServices } from '../shell/services.ts';
import { useSetupText } from '../text/setup-text.ts';

const noModel: ModelSettingsUpdate = { name: null };

/** Saves the model of the agents and then tests it. */
export function useChooseModel(onSaved: () => void) {
  const { api, client, toasts } = useServices();
  const text = useSetupText().model;
  const test = useMutation({ mutationFn: () => api.settings.testModel() });
  const save = useMutation({
    mutationFn: (choice: ModelSettingsUpdate) => api.settings.chooseModel(choice),
    onSuccess: async (fresh, { name }) => {
      onSaved();
      client.setQueryData(['model'], fresh);
      void client.invalidateQueries({ queryKey: ['status'] });
      if (name === null) return toasts.show(text.removed);
      await test.mutateAsync().catch(() => undefined);
      return undefined;
    },
  });
  return {
    save,
    test,
    isBusy: save.isPending || test.isPending,
    remove: () => save.mutate(noModel),
  };
}
