import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { calendarUrl } from '../api/files-api.ts';
import type { TokenScope } from '../api/programs-api.ts';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Button } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { CopyableCommand } from '../ui/copyable-command.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { SettingsList } from './settings-list.tsx';

/** The API tokens, and a form to create another one. */
export function TokensSection() {
  const { api, client, toasts } = useServices();
  const text = useSetupText().tokens;
  const format = useFormat();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<TokenScope>('read');
  const { data, error } = useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => api.programs.tokens(signal),
  });
  const refetch = (): Promise<void> => client.invalidateQueries({ queryKey: ['tokens'] });
  const create = useMutation({
    mutationFn: () => api.programs.createToken(name.trim(), scope),
    onSuccess: () => {
      setName('');
      return refetch();
    },
    // The secret is shown once and must not stay in the cache.
    gcTime: 0,
  });
  const revoke = useMutation({
    mutationFn: (id: string) => api.programs.revokeToken(id),
    onSuccess: () => {
      toasts.show(text.revoked);
      return refetch();
    },
    onError: toasts.showError,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') create.mutate();
  };
  return (
    <Section title={text.title}>
      <p className="text-small text-soft">{text.hint}</p>
      <SettingsList
        items={data?.tokens.map(({ id, name: called, scope: given, createdAt }) => ({
          key: id,
          name: called,
          detail: `${text.scopes[given]} · ${format.date(createdAt)}`,
          remove: text.revoke(called),
          onRemove: () => revoke.mutate(id),
        }))}
        error={error}
        none={text.none}
        isBusy={revoke.isPending}
      />
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <Field
          label={text.name}
          value={name}
          className="flex-1 basis-40"
          onChange={(event) => setName(event.target.value)}
        />
        <SegmentedControl
          label={text.scope}
          value={scope}
          onChange={setScope}
          options={(['read', 'write', 'calendar'] as const).map((value) => ({
            value,
            label: text.scopes[value],
          }))}
        />
        <Button type="submit" disabled={create.isPending} className="h-9">
          {text.create}
        </Button>
      </form>
      {create.error !== null && <ErrorNotice error={create.error} />}
      {create.data !== undefined && (
        <Notice title={create.data.scope === 'calendar' ? text.subscribe : text.once}>
          <CopyableCommand>
            {create.data.scope === 'calendar' ? calendarUrl(create.data.secret) : create.data.secret}
          </CopyableCommand>
        </Notice>
      )}
    </Section>
  );
}
