import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useServices } from '../shell/services.ts';
import { useViewer } from '../shell/use-viewer.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Field } from '../ui/field.tsx';
import { Section } from '../ui/page.tsx';
import { SettingsList } from './settings-list.tsx';

/** The paths that are hidden from AI, with the number of files they match. */
export function ExclusionsSection() {
  const { api, client } = useServices();
  const { exclusions: text, forOperator } = useSetupText();
  const { isOperator } = useViewer();
  const [typed, setTyped] = useState('');
  const { data, error } = useQuery({
    queryKey: ['exclusions'],
    queryFn: ({ signal }) => api.settings.exclusions(signal),
  });
  const save = useMutation({
    mutationFn: (patterns: string[]) => api.settings.exclude(patterns),
    onSuccess: (fresh) => {
      setTyped('');
      client.setQueryData(['exclusions'], fresh);
    },
  });
  const patterns = data?.patterns.map(({ pattern }) => pattern) ?? [];
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (typed.trim() !== '') save.mutate([...patterns, typed.trim()]);
  };
  return (
    <Section title={text.title}>
      <p className="text-small text-soft">{text.hint}</p>
      <SettingsList
        items={data?.patterns.map(({ pattern, files, problem }) => ({
          key: pattern,
          name: <code className="font-mono font-normal break-all">{pattern}</code>,
          detail: (
            <span className={problem === undefined && files !== 0 ? '' : 'text-warn'}>
              {problem ?? (files === 0 ? text.noFile : text.files(files ?? 0))}
            </span>
          ),
          remove: isOperator ? text.remove(pattern) : null,
          onRemove: () => save.mutate(patterns.filter((each) => each !== pattern)),
        }))}
        error={error}
        none={text.none}
        isBusy={save.isPending}
      />
      {isOperator ? (
        <form onSubmit={add} className="flex flex-wrap items-end gap-2">
          <Field
            label={text.label}
            value={typed}
            placeholder="private/**"
            className="flex-1 basis-48"
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button type="submit" disabled={save.isPending || data === undefined} className="h-9">
            {text.add}
          </Button>
        </form>
      ) : (
        <p className="text-small">{forOperator}</p>
      )}
      {save.error !== null && <ErrorNotice error={save.error} />}
    </Section>
  );
}
