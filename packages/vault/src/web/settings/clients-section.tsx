import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { api } from '../../contract/index.ts';
import { useServices } from '../shell/services.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Badge } from '../ui/badge.tsx';
import { buttonClass } from '../ui/button.tsx';
import { CopyableCommand } from '../ui/copyable-command.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Collapsible } from '../ui/collapsible.tsx';
import { Section } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';

type Client = z.output<typeof api.clients>['clients'][number];

/** How to connect each supported AI tool. Tools that are found on this machine come first. */
export function ClientsSection() {
  const { api: server } = useServices();
  const text = useSetupText().clients;
  const { data, error } = useQuery({
    queryKey: ['clients'],
    queryFn: ({ signal }) => server.programs.clients(signal),
  });
  return (
    <Section title={text.title}>
      <p className="text-small text-soft">{text.hint}</p>
      {error !== null && <ErrorNotice error={error} />}
      {data === undefined && error === null && <Spinner label={text.title} />}
      {data?.clients
        .toSorted((a, b) => Number(b.isFound) - Number(a.isFound))
        .map((client) => (
          <ClientEntry key={client.name} client={client} />
        ))}
    </Section>
  );
}

function ClientEntry({ client }: { client: Client }) {
  const text = useSetupText().clients;
  const [isOpen, setIsOpen] = useState(false);
  const { name, title, isFound, file, text: entry, command, link } = client;
  return (
    <Collapsible
      title={<span className="font-medium">{title}</span>}
      actions={
        <>
          {isFound && <Badge tone="good">{text.found}</Badge>}
          {link !== null && (
            <a href={link} className={buttonClass()}>
              {text.install(title)}
            </a>
          )}
        </>
      }
      isOpen={isOpen}
      onChange={setIsOpen}
    >
      <div className="flex flex-col gap-2 p-3 text-small">
        {command !== null && (
          <>
            <p>{text.run}</p>
            <CopyableCommand>{command}</CopyableCommand>
          </>
        )}
        {entry === null ? (
          <>
            <p>{text.other(title)}</p>
            <CopyableCommand>{`keepsake connect ${name}`}</CopyableCommand>
          </>
        ) : (
          <>
            <p className="break-words">{file === null ? text.project : text.file(file)}</p>
            <CopyableCommand isBlock>{entry}</CopyableCommand>
          </>
        )}
      </div>
    </Collapsible>
  );
}
