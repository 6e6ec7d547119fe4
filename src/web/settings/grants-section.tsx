import { useMutation, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useSetupText } from '../text/setup-text.ts';
import { IconButton } from '../ui/button.tsx';
import { Command } from '../ui/command.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Section } from '../ui/page.tsx';

/** Programs elsewhere that were let in; nothing where none can be. */
export function GrantsSection() {
  const { api, client, toasts } = useServices();
  const { grants: text, tokens: words } = useSetupText();
  const format = useFormat();
  const { data, error } = useQuery({ queryKey: ['grants'], queryFn: ({ signal }) => api.grants(signal) });
  const revoke = useMutation({
    mutationFn: (id: string) => api.revokeGrant(id),
    onSuccess: () => {
      toasts.say(words.revoked);
      return client.invalidateQueries({ queryKey: ['grants'] });
    },
    onError: toasts.fail,
  });
  if (data !== undefined && data.url === null) return null;
  return (
    <Section title={text.title}>
      {error !== null && <ErrorNotice error={error} />}
      {data !== undefined && (
        <>
          <p className="text-small text-soft">{text.hint}</p>
          <Command>{`${data.url}/mcp`}</Command>
        </>
      )}
      {data?.grants.length === 0 && <p className="text-small">{text.none}</p>}
      {data !== undefined && data.grants.length > 0 && (
        <ul className="divide-y divide-line rounded-medium border border-line bg-surface text-small">
          {data.grants.map(({ id, name, site, scope, createdAt }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 px-3 py-1">
              <span className="min-w-0 flex-1 basis-32 font-medium break-words">{name}</span>
              <span className="text-soft">
                {[site !== name && site, words.scopes[scope], format.date(createdAt)]
                  .filter((part) => typeof part === 'string')
                  .join(' · ')}
              </span>
              <IconButton
                label={words.revoke(name)}
                disabled={revoke.isPending}
                onClick={() => revoke.mutate(id)}
              >
                <X aria-hidden className="size-4" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
