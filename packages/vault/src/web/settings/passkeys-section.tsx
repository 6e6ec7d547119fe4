import { startRegistration } from '@simplewebauthn/browser';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Field } from '../ui/field.tsx';
import { Section } from '../ui/page.tsx';
import { SettingsList } from './settings-list.tsx';

/** The passkeys of the user. Hidden if the server has no host name, which passkeys require. */
export function PasskeysSection() {
  const { api, client, toasts } = useServices();
  const text = useSetupText().passkeys;
  const format = useFormat();
  const [name, setName] = useState('');
  const { data: methods } = useQuery({
    queryKey: ['sign-in'],
    queryFn: ({ signal }) => api.signIn.methods(signal),
  });
  const { data, error } = useQuery({
    queryKey: ['passkeys'],
    queryFn: ({ signal }) => api.signIn.passkeys(signal),
    enabled: methods?.hasPasskeys === true,
  });
  const changed = (message: string) => (): Promise<void> => {
    toasts.show(message);
    setName('');
    return client.invalidateQueries({ queryKey: ['passkeys'] });
  };
  const add = useMutation({
    async mutationFn() {
      const offered = (await api.signIn.passkeyToMake()) as unknown as PublicKeyCredentialCreationOptionsJSON;
      await api.signIn.addPasskey(name.trim(), await startRegistration({ optionsJSON: offered }));
    },
    onSuccess: changed(text.added),
  });
  const remove = useMutation({
    mutationFn: (id: string) => api.signIn.removePasskey(id),
    onSuccess: changed(text.removed),
    onError: toasts.showError,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') add.mutate();
  };
  if (methods?.hasPasskeys !== true) return null;
  return (
    <Section title={text.title}>
      <p className="text-small text-soft">{text.hint}</p>
      <SettingsList
        items={data?.passkeys.map(({ id, name: called, createdAt }) => ({
          key: id,
          name: called,
          detail: format.date(createdAt),
          remove: text.remove(called),
          onRemove: () => remove.mutate(id),
        }))}
        error={error}
        none={text.none}
        isBusy={remove.isPending}
      />
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <Field
          label={text.name}
          hint={text.nameHint}
          value={name}
          className="flex-1 basis-40"
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={add.isPending}>
          {text.add}
        </Button>
      </form>
      {add.error !== null && <ErrorNotice error={add.error} />}
    </Section>
  );
}
