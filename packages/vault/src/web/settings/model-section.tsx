import { useQuery } from '@tanstack/react-query';
import { useServices } from '../shell/services.ts';
import { useSetupText } from '../text/setup-text.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Section } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { ModelForm } from './model-form.tsx';

/** Chooses, configures and tests the model of the agents. */
export function ModelSection() {
  const { api } = useServices();
  const text = useSetupText().model;
  const { data, error } = useQuery({
    queryKey: ['model'],
    queryFn: ({ signal }) => api.settings.model(signal),
  });
  return (
    <Section title={text.title}>
      <p className="text-small text-soft">{text.hint}</p>
      {error !== null && <ErrorNotice error={error} />}
      {data === undefined ? error === null && <Spinner label={text.title} /> : <ModelForm settings={data} />}
    </Section>
  );
}
