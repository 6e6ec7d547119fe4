import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent } from 'react';
import type { z } from 'zod';
import type { api } from '../../contract/index.ts';
import { useServices } from '../shell/services.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/command.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Field, SelectField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { ModelTrial } from './model-trial.tsx';

type Settings = z.output<typeof api.modelSettings>;

/** Which model the agents use: chosen, given its key, and tried, all here. */
export function ModelSection() {
  const { api: server } = useServices();
  const text = useSetupText().model;
  const { data, error } = useQuery({
    queryKey: ['model'],
    queryFn: ({ signal }) => server.settings.model(signal),
  });
  return (
    <Section title={text.title}>
      <p className="text-small text-soft">{text.hint}</p>
      {error !== null && <ErrorNotice error={error} />}
      {data === undefined ? error === null && <Spinner label={text.title} /> : <ModelForm settings={data} />}
    </Section>
  );
}

function ModelForm({ settings }: { settings: Settings }) {
  const { api: server, client, toasts } = useServices();
  const text = useSetupText().model;
  const [chosen = 'anthropic', ...rest] = (settings.name ?? '').split('/').filter((part) => part !== '');
  const [provider, setProvider] = useState(chosen);
  const [name, setName] = useState(rest.join('/'));
  const [url, setUrl] = useState(settings.url ?? '');
  const [key, setKey] = useState('');
  const [input, setInput] = useState(settings.prices === null ? '' : String(settings.prices.input));
  const [output, setOutput] = useState(settings.prices === null ? '' : String(settings.prices.output));
  const known = settings.providers.find((each) => each.name === provider);

  const test = useMutation({ mutationFn: () => server.settings.testModel() });
  const save = useMutation({
    mutationFn: (model: string | null) =>
      server.settings.chooseModel({
        name: model,
        ...(model !== null && url.trim() !== '' && { url: url.trim() }),
        ...(model !== null && key.trim() !== '' && { key: key.trim() }),
        ...(model !== null &&
          input.trim() !== '' &&
          output.trim() !== '' && { prices: { input: Number(input), output: Number(output) } }),
      }),
    onSuccess: async (fresh, model) => {
      // What was typed is written down where only the person can read it; here it is forgotten.
      setKey('');
      client.setQueryData(['model'], fresh);
      void client.invalidateQueries({ queryKey: ['status'] });
      if (model === null) return toasts.say(text.removed);
      await test.mutateAsync().catch(() => undefined);
      return undefined;
    },
  });
  const isBusy = save.isPending || test.isPending;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '' && !isBusy) save.mutate(`${provider}/${name.trim()}`);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {settings.isFromEnvironment && <Notice tone="warn" title={text.fromEnvironment} />}
      <div className="grid gap-3 wide:grid-cols-2">
        <SelectField
          label={text.provider}
          value={provider}
          options={settings.providers.map((each) => each.name)}
          onChange={(event) => setProvider(event.target.value)}
        />
        <Field label={text.name} value={name} required onChange={(event) => setName(event.target.value)} />
        <Field
          label={text.url}
          value={url}
          type="url"
          required={known?.url === null}
          placeholder={known?.url ?? 'http://127.0.0.1:8080/v1'}
          hint={known?.url === null ? undefined : text.urlHint}
          onChange={(event) => setUrl(event.target.value)}
        />
        {isSecureContext && (
          <Field
            label={text.key}
            value={key}
            type="password"
            autoComplete="new-password"
            hint={text.keys[known?.key ?? 'unneeded']}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
        <fieldset className="flex flex-col gap-1 text-small">
          <legend className="mb-1">{text.prices}</legend>
          <div className="grid grid-cols-2 gap-3">
            <Field
              label={text.input}
              value={input}
              inputMode="decimal"
              pattern="[0-9]*\.?[0-9]*"
              onChange={(event) => setInput(event.target.value)}
            />
            <Field
              label={text.output}
              value={output}
              inputMode="decimal"
              pattern="[0-9]*\.?[0-9]*"
              onChange={(event) => setOutput(event.target.value)}
            />
          </div>
        </fieldset>
      </div>
      {!isSecureContext && (
        <>
          <p className="text-small text-soft">{text.open}</p>
          <Command>{`keepsake config key ${provider}`}</Command>
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" disabled={isBusy}>
          {isBusy ? text.saving : text.save}
        </Button>
        {settings.name !== null && (
          <>
            <Button disabled={isBusy} onClick={() => test.mutate()}>
              {text.test}
            </Button>
            <Button disabled={isBusy} onClick={() => save.mutate(null)}>
              {text.none}
            </Button>
          </>
        )}
      </div>
      {save.error !== null && <ErrorNotice error={save.error} />}
      {test.error !== null && !isBusy && <ErrorNotice error={test.error} />}
      {test.data !== undefined && !isBusy && test.error === null && <ModelTrial trial={test.data} />}
    </form>
  );
}
