import { useMutation, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Command } from '../ui/command.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';

/** Programs that were let in, and a way to let in another one. */
export function TokensSection() {
  const { api, client, toasts } = useServices();
  const text = useSetupText().tokens;
  const format = useFormat();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<'read' | 'write'>('read');
  const { data, error } = useQuery({ queryKey: ['tokens'], queryFn: ({ signal }) => api.tokens(signal) });
  const look = (): Promise<void> => client.invalidateQueries({ queryKey: ['tokens'] });
  const create = useMutation({
    mutationFn: () => api.createToken(name.trim(), scope),
    onSuccess: () => {
      setName('');
      return look();
    },
    // A secret is shown once and is not for keeping.
    gcTime: 0,
  });
  const revoke = useMutation({
    mutationFn: (id: string) => api.revokeToken(id),
    onSuccess: () => {
      toasts.say(text.revoked);
      return look();
    },
    onError: toasts.fail,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') create.mutate();
  };
  return (
    <Section title={text.title}>
      <p className="text-small text-soft">{text.hint}</p>
      {error !== null && <ErrorNotice error={error} />}
      {data?.tokens.length === 0 && <p className="text-small">{text.none}</p>}
      {data !== undefined && data.tokens.length > 0 && (
        <ul className="divide-y divide-line rounded-medium border border-line bg-surface text-small">
          {data.tokens.map((token) => (
            <li key={token.id} className="flex flex-wrap items-center gap-x-3 px-3 py-1">
              <span className="min-w-0 flex-1 basis-32 font-medium break-words">{token.name}</span>
              <span className="text-soft">
                {text.scopes[token.scope]} · {format.date(token.createdAt)}
              </span>
              <IconButton
                label={text.revoke(token.name)}
                disabled={revoke.isPending}
                onClick={() => revoke.mutate(token.id)}
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
        <Choice
          label={text.scope}
          value={scope}
          onChange={setScope}
          options={(['read', 'write'] as const).map((value) => ({ value, label: text.scopes[value] }))}
        />
        <Button type="submit" disabled={create.isPending} className="h-9">
          {text.create}
        </Button>
      </form>
      {create.error !== null && <ErrorNotice error={create.error} />}
      {create.data !== undefined && (
        <Notice title={text.once}>
          <Command>{create.data.secret}</Command>
        </Notice>
      )}
    </Section>
  );
}
