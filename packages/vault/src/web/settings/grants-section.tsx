import { useMutation, useQuery } from '@tanstack/react-query';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useSetupText } from '../text/setup-text.ts';
import { CopyableCommand } from '../ui/copyable-command.tsx';
import { Section } from '../ui/page.tsx';
import { SettingsList } from './settings-list.tsx';

/** Remote apps that have access to the vault. Hidden if the server does not allow them. */
export function GrantsSection() {
  const { api, client, toasts } = useServices();
  const { grants: text, tokens: words } = useSetupText();
  const format = useFormat();
  const { data, error } = useQuery({
    queryKey: ['grants'],
    queryFn: ({ signal }) => api.programs.grants(signal),
  });
  const revoke = useMutation({
    mutationFn: (id: string) => api.programs.revokeGrant(id),
    onSuccess: () => {
      toasts.show(words.revoked);
      return client.invalidateQueries({ queryKey: ['grants'] });
    },
    onError: toasts.showError,
  });
  if (data !== undefined && data.url === null) return null;
  return (
    <Section title={text.title}>
      {data !== undefined && (
        <>
          <p className="text-small text-soft">{text.hint}</p>
          <CopyableCommand>{`${data.url}/mcp`}</CopyableCommand>
        </>
      )}
      <SettingsList
        items={data?.grants.map(({ id, name, site, scope, createdAt }) => ({
          key: id,
          name,
          detail: [site !== name && site, words.scopes[scope], format.date(createdAt)]
            .filter((part) => typeof part === 'string')
            .join(' · '),
          remove: words.revoke(name),
          onRemove: () => revoke.mutate(id),
        }))}
        error={error}
        none={text.none}
        isBusy={revoke.isPending}
      />
    </Section>
  );
}
