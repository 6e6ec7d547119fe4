import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { api } from '../../contract/index.ts';
import { useServices } from '../shell/services.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Badge } from '../ui/badge.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Command } from '../ui/command.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Fold } from '../ui/fold.tsx';
import { Section } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';

type Client = z.output<typeof api.clients>['clients'][number];

/** Other people's AI tools, each with all that connects it; those that are used here first. */
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
    <Fold
      title={<span className="font-medium">{title}</span>}
      aside={
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
            <Command>{command}</Command>
          </>
        )}
        {entry === null ? (
          <>
            <p>{text.other(title)}</p>
            <Command>{`keepsake connect ${name}`}</Command>
          </>
        ) : (
          <>
            <p className="break-words">{file === null ? text.project : text.file(file)}</p>
            <Command isBlock>{entry}</Command>
          </>
        )}
      </div>
    </Fold>
  );
}
