import { useQuery } from '@tanstack/react-query';
import { useServices } from '../shell/services.ts';
import { useViewer } from '../shell/use-viewer.ts';
import { useSetupText } from '../text/setup-text.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Section } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { ModelForm } from './model-form.tsx';

/** Chooses, configures and tests the model of the agents; an invited owner only sees it. */
export function ModelSection() {
  const { api } = useServices();
  const { model: text, forOperator } = useSetupText();
  const { isOperator } = useViewer();
  const { data, error } = useQuery({
    queryKey: ['model'],
    queryFn: ({ signal }) => api.settings.model(signal),
  });
  return (
    <Section title={text.title}>
      <p className="text-small text-soft">{text.hint}</p>
      {error !== null && <ErrorNotice error={error} />}
      {data === undefined && error === null && <Spinner label={text.title} />}
      {data !== undefined && isOperator && <ModelForm settings={data} />}
      {data !== undefined && !isOperator && (
        <>
          <p className="font-mono text-small break-all">
            {[data.name, data.url].filter((each) => each !== null).join(' · ')}
          </p>
          <p className="text-small">{forOperator}</p>
        </>
      )}
    </Section>
  );
}
