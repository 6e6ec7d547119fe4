import { useMutation, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useServices } from '../shell/services.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Command } from '../ui/command.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';

const roles = ['reader', 'writer', 'owner'] as const;
type Role = (typeof roles)[number];

/** People who were invited into the vault, and a way to invite another one. */
export function PeopleSection() {
  const { api, client, toasts } = useServices();
  const text = useSetupText().people;
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('reader');
  const { data, error } = useQuery({ queryKey: ['people'], queryFn: ({ signal }) => api.people(signal) });
  const look = (): Promise<void> => client.invalidateQueries({ queryKey: ['people'] });
  const invite = useMutation({
    mutationFn: () => api.invite(name.trim(), role),
    onSuccess: () => {
      setName('');
      return look();
    },
    // A link is shown once and is not for keeping.
    gcTime: 0,
  });
  const change = useMutation({
    mutationFn: ({ id, to }: { id: string; to: Role | null }) =>
      to === null ? api.removePerson(id) : api.setRole(id, to),
    onSuccess: look,
    onError: toasts.fail,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') invite.mutate();
  };
  const options = roles.map((value) => ({ value, label: text.roles[value] }));
  return (
    <Section title={text.title}>
      <p className="text-small text-soft">{text.hint}</p>
      {error !== null && <ErrorNotice error={error} />}
      {data?.people.length === 0 && <p className="text-small">{text.none}</p>}
      {data !== undefined && data.people.length > 0 && (
        <ul className="divide-y divide-line rounded-medium border border-line bg-surface text-small">
          {data.people.map((person) => (
            <li key={person.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
              <span className="min-w-0 flex-1 basis-32 font-medium break-words">
                {person.name}
                {person.isInvited && <span className="font-normal text-soft"> · {text.waits}</span>}
              </span>
              <Choice
                label={text.roleOf(person.name)}
                value={person.role}
                onChange={(to) => change.mutate({ id: person.id, to })}
                options={options}
              />
              <IconButton
                label={text.remove(person.name)}
                disabled={change.isPending}
                onClick={() => change.mutate({ id: person.id, to: null })}
              >
                <X aria-hidden className="size-4" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <Field
          label={text.name}
          value={name}
          className="flex-1 basis-40"
          onChange={(event) => setName(event.target.value)}
        />
        <Choice label={text.role} value={role} onChange={setRole} options={options} />
        <Button type="submit" disabled={invite.isPending} className="h-9">
          {text.invite}
        </Button>
      </form>
      {invite.error !== null && <ErrorNotice error={invite.error} />}
      {invite.data !== undefined && (
        <Notice title={text.once(invite.data.name)}>
          <Command>{invite.data.url}</Command>
        </Notice>
      )}
    </Section>
  );
}
