import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useServices } from '../shell/services.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Button } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';

type Scope = 'read' | 'write';

/** Asks the user whether a remote app may access the vault, and with which scope. */
export function ConsentPage() {
  const { id } = useParams({ from: '/consent/$id' });
  const { api, queries } = useServices();
  const text = useSetupText().consent;
  const [chosenScope, setChosenScope] = useState<Scope>('read');
  const { data: asked, error } = useQuery({
    queryKey: ['consent', id],
    queryFn: ({ signal }) => api.programs.consent(id, signal),
    gcTime: 0,
  });
  const { data: status } = useQuery(queries.status);
  const decide = useMutation({
    mutationFn: (scope: Scope | null) => api.programs.decideConsent(id, scope),
    onSuccess: ({ url }) => location.assign(url),
  });
  if (error !== null)
    return (
      <Page title={text.over}>
        <p className="text-small">{text.overHint}</p>
      </Page>
    );
  if (asked === undefined) return null;
  const { client, returnsTo, scope } = asked;
  const grantedScope = scope === 'read' ? 'read' : chosenScope;
  const isBusy = decide.isPending || decide.isSuccess;
  const rows = [
    [text.vault, status?.vault],
    [text.vouched, client.site ?? text.notVouched],
    [text.returnsTo, returnsTo === 'localhost' ? text.here : returnsTo],
  ];
  return (
    <Page title={text.title(client.name)}>
      <dl className="divide-y divide-line rounded-medium border border-line bg-surface text-small">
        {rows.map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-4 px-3 py-2">
            <dt className="w-40 shrink-0 text-soft">{name}</dt>
            <dd className="min-w-0 flex-1 basis-40 font-medium break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-col gap-2">
        {scope === 'write' && (
          <SegmentedControl
            label={text.scope}
            value={grantedScope}
            onChange={setChosenScope}
            options={(['read', 'write'] as const).map((value) => ({ value, label: text.scopes[value] }))}
          />
        )}
        <p className="text-small">{text.means[grantedScope]}</p>
        <p className="text-small text-soft">{text.later}</p>
      </div>
      <Notice tone="warn" title={text.onlyIf} />
      {decide.error !== null && <ErrorNotice error={decide.error} />}
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" disabled={isBusy} onClick={() => decide.mutate(grantedScope)}>
          {text.allow}
        </Button>
        <Button disabled={isBusy} onClick={() => decide.mutate(null)}>
          {text.refuse}
        </Button>
      </div>
    </Page>
  );
}
