import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useServices } from '../shell/services.ts';
import { useSetupText } from '../text/setup-text.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { SelectField } from '../ui/field.tsx';
import { Section } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';

/** The brief that AI tools get at the start of a session in a folder of a project. */
export function BriefSection() {
  const { api, queries } = useServices();
  const text = useSetupText().brief;
  const { data: listed } = useQuery(queries.files.projects);
  const [chosen, setChosen] = useState<string | null>(null);
  const names = (listed?.projects ?? []).map(({ name }) => name);
  const shown = chosen ?? names[0] ?? text.noProject;
  const project = names.includes(shown) ? shown : null;
  const { data, error } = useQuery({
    queryKey: ['brief', project],
    queryFn: ({ signal }) => api.programs.brief(project, signal),
  });
  return (
    <Section title={text.title}>
      <p className="text-small text-soft">{text.hint}</p>
      <SelectField
        label={text.project}
        options={[...names, text.noProject]}
        value={shown}
        onChange={({ target }) => setChosen(target.value)}
      />
      {error !== null && <ErrorNotice error={error} />}
      {data === undefined && error === null && <Spinner label={text.title} />}
      {data?.message != null && (
        <p className="text-small">
          {text.message} <span className="font-medium">{data.message}</span>
        </p>
      )}
      {data !== undefined &&
        (data.text === null ? (
          <p className="text-small">{text.none}</p>
        ) : (
          <pre
            tabIndex={0}
            role="region"
            aria-label={text.title}
            className="max-h-96 overflow-auto rounded-medium border border-line bg-surface p-3 text-tiny break-words whitespace-pre-wrap"
          >
            {data.text}
          </pre>
        ))}
    </Section>
  );
}
