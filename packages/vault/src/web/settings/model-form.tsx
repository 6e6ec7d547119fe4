import { useState } from 'react';
import type { ChangeEvent, FormEvent } from 'react';
import type { ModelSettings } from '../api/settings-api.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Button } from '../ui/button.tsx';
import { CopyableCommand } from '../ui/copyable-command.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Field, SelectField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { isNewAddress, toModelUpdate, toModelFields } from './model-fields.ts';
import type { ModelFields } from './model-fields.ts';
import { ModelTestResult } from './model-test-result.tsx';
import { useChooseModel } from './use-choose-model.ts';

/** Provider, name, address, key and prices of the model. Saving also tests it. */
export function ModelForm({ settings }: { settings: ModelSettings }) {
  const text = useSetupText().model;
  const [fields, setFields] = useState(() => toModelFields(settings));
  // The server has stored the key, so the form forgets it.
  const { save, test, isBusy, remove } = useChooseModel(() => setFields((all) => ({ ...all, key: '' })));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const choice = toModelUpdate(fields);
    if (choice !== null && !isBusy) save.mutate(choice);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {settings.isFromEnvironment && <Notice tone="warn" title={text.fromEnvironment} />}
      <Fields
        settings={settings}
        fields={fields}
        onChange={(changed) => setFields((all) => ({ ...all, ...changed }))}
      />
      {!isSecureContext && (
        <>
          <p className="text-small text-soft">{text.open}</p>
          <CopyableCommand>{`keepsake config key ${fields.provider}`}</CopyableCommand>
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? text.saving : text.save}
        </Button>
        {settings.name !== null && (
          <>
            <Button disabled={isBusy} onClick={() => test.mutate()}>
              {text.test}
            </Button>
            <Button disabled={isBusy} onClick={remove}>
              {text.none}
            </Button>
          </>
        )}
      </div>
      {save.error !== null && <ErrorNotice error={save.error} />}
      {test.error !== null && !isBusy && <ErrorNotice error={test.error} />}
      {test.data !== undefined && !isBusy && test.error === null && <ModelTestResult trial={test.data} />}
    </form>
  );
}

type FieldsProps = {
  settings: ModelSettings;
  fields: ModelFields;
  onChange: (changed: Partial<ModelFields>) => void;
};

function Fields({ settings, fields, onChange }: FieldsProps) {
  const { providers } = settings;
  const text = useSetupText().model;
  const known = providers.find(({ name }) => name === fields.provider);
  const control = (name: keyof ModelFields) => ({
    value: fields[name],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      onChange({ [name]: event.target.value }),
  });
  const needsKeyAgain = known?.key === 'file' && isNewAddress(fields, settings);
  const price = { inputMode: 'decimal', pattern: String.raw`[0-9]*\.?[0-9]*` } as const;
  return (
    <div className="grid gap-3 wide:grid-cols-2">
      <SelectField
        label={text.provider}
        options={providers.map(({ name }) => name)}
        {...control('provider')}
      />
      <Field label={text.name} required {...control('name')} />
      <Field
        label={text.url}
        type="url"
        required={known?.url === null}
        placeholder={known?.url ?? 'http://127.0.0.1:8080/v1'}
        hint={known?.url === null ? undefined : text.urlHint}
        {...control('url')}
      />
      {/* A key must not be sent over an unencrypted connection. */}
      {isSecureContext && (
        <Field
          label={text.key}
          type="password"
          autoComplete="new-password"
          required={needsKeyAgain}
          hint={needsKeyAgain ? text.keyAgain : text.keys[known?.key ?? 'unneeded']}
          {...control('key')}
        />
      )}
      <fieldset className="flex flex-col gap-1 text-small">
        <legend className="mb-1">{text.prices}</legend>
        <div className="grid grid-cols-2 gap-3">
          <Field label={text.input} {...price} {...control('input')} />
          <Field label={text.output} {...price} {...control('output')} />
        </div>
      </fieldset>
    </div>
  );
}
