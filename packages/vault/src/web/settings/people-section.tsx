import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useServices } from '../shell/services.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Button } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { CopyableCommand } from '../ui/copyable-command.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { SettingsList } from './settings-list.tsx';

const roles = ['reader', 'writer', 'owner'] as const;
type Role = (typeof roles)[number];

/** The members of the vault, and a form to invite another one. */
export function PeopleSection() {
  const { api, client, toasts } = useServices();
  const text = useSetupText().people;
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('reader');
  const { data, error } = useQuery({
    queryKey: ['people'],
    queryFn: ({ signal }) => api.people.list(signal),
  });
  const refetch = (): Promise<void> => client.invalidateQueries({ queryKey: ['people'] });
  const invite = useMutation({
    mutationFn: () => api.people.invite(name.trim(), role),
    onSuccess: () => {
      setName('');
      return refetch();
    },
    // The invitation link is shown once and must not stay in the cache.
    gcTime: 0,
  });
  const change = useMutation({
    mutationFn: ({ id, to }: { id: string; to: Role | null }) =>
      to === null ? api.people.remove(id) : api.people.setRole(id, to),
    onSuccess: refetch,
    onError: toasts.showError,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') invite.mutate();
  };
  const options = roles.map((value) => ({ value, label: text.roles[value] }));
  return (
    <Section title={text.title}>
      <p className="text-small text-soft">{text.hint}</p>
      <SettingsList
        items={data?.people.map(({ id, name: called, role: held, isInvited }) => ({
          key: id,
          name: (
            <>
              {called}
              {isInvited && <span className="font-normal text-soft"> · {text.waits}</span>}
            </>
          ),
          detail: (
            <SegmentedControl
              label={text.roleOf(called)}
              value={held}
              onChange={(to) => change.mutate({ id, to })}
              options={options}
            />
          ),
          remove: text.remove(called),
          onRemove: () => change.mutate({ id, to: null }),
        }))}
        error={error}
        none={text.none}
        isBusy={change.isPending}
      />
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <Field
          label={text.name}
          value={name}
          className="flex-1 basis-40"
          onChange={(event) => setName(event.target.value)}
        />
        <SegmentedControl label={text.role} value={role} onChange={setRole} options={options} />
        <Button type="submit" disabled={invite.isPending} className="h-9">
          {text.invite}
        </Button>
      </form>
      {invite.error !== null && <ErrorNotice error={invite.error} />}
      {invite.data !== undefined && (
        <Notice title={text.once(invite.data.name)}>
          <CopyableCommand>{invite.data.url}</CopyableCommand>
        </Notice>
      )}
    </Section>
  );
}
