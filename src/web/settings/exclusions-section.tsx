import { useMutation, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useServices } from '../shell/services.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Field } from '../ui/field.tsx';
import { Section } from '../ui/page.tsx';

/** What no model ever sees, and how much that is. */
export function ExclusionsSection() {
  const { api, client } = useServices();
  const text = useSetupText().exclusions;
  const [typed, setTyped] = useState('');
  const { data, error } = useQuery({
    queryKey: ['exclusions'],
    queryFn: ({ signal }) => api.exclusions(signal),
  });
  const save = useMutation({
    mutationFn: (patterns: string[]) => api.exclude(patterns),
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
      {error !== null && <ErrorNotice error={error} />}
      {data?.patterns.length === 0 && <p className="text-small">{text.none}</p>}
      {data !== undefined && data.patterns.length > 0 && (
        <ul className="divide-y divide-line rounded-medium border border-line bg-surface text-small">
          {data.patterns.map(({ pattern, files, problem }) => (
            <li key={pattern} className="flex flex-wrap items-center gap-x-3 px-3 py-1">
              <code className="min-w-0 flex-1 basis-32 font-mono break-all">{pattern}</code>
              <span className={problem === undefined && files !== 0 ? 'text-soft' : 'text-warn'}>
                {problem ?? (files === 0 ? text.noFile : text.files(files ?? 0))}
              </span>
              <IconButton
                label={text.remove(pattern)}
                disabled={save.isPending}
                onClick={() => save.mutate(patterns.filter((each) => each !== pattern))}
              >
                <X aria-hidden className="size-4" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
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
      {save.error !== null && <ErrorNotice error={save.error} />}
    </Section>
  );
}
