import { useQuery } from '@tanstack/react-query';
import { Check, FileDown, PenLine, Plug, Sparkles } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ClientsSection } from '../settings/clients-section.tsx';
import { ModelSection } from '../settings/model-section.tsx';
import { useServices } from '../shell/services.ts';
import { useViewer } from '../shell/use-viewer.ts';
import { useSetupText } from '../text/setup-text.ts';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { CopyableCommand } from '../ui/copyable-command.tsx';
import { Collapsible } from '../ui/collapsible.tsx';
import { ImportFiles } from './import-files.tsx';
import { userFiles } from './is-new-vault.ts';

/** The first steps with a new vault. They are independent of each other and can be done on this page. */
export function GettingStarted() {
  const { queries, fileAction } = useServices();
  const text = useSetupText().start;
  const { newNote } = useText().arrange;
  const { data: tree } = useQuery(queries.files.tree);
  const { data: status } = useQuery(queries.status);
  const { isOperator } = useViewer();
  if (tree === undefined || status === undefined) return null;
  const own = userFiles(tree, status.layout);
  return (
    <section aria-label={text.title} className="flex flex-col gap-3">
      <p className="text-small text-soft">{text.hint}</p>
      <div className="flex flex-wrap items-center gap-3 rounded-medium border border-line bg-surface py-3 pr-3 pl-9">
        <PenLine aria-hidden className="size-5 shrink-0 text-accent" />
        <span className="flex min-w-0 flex-1 basis-40 flex-col text-small">
          <span className="text-base font-medium">{text.write}</span>
          <span className="text-soft">{text.writeHint}</span>
        </span>
        {own.length > 0 && <DoneBadge />}
        <Button variant="primary" onClick={() => fileAction.set({ kind: 'create', folder: '' })}>
          {newNote}
        </Button>
      </div>
      <Step
        icon={FileDown}
        title={text.import}
        hint={text.importHint}
        isDone={own.some((path) => path.startsWith('bucket/'))}
      >
        <ImportFiles />
        <p className="text-small text-soft">{text.larger}</p>
        <CopyableCommand>keepsake import ~/Downloads/export.zip</CopyableCommand>
      </Step>
      {isOperator && (
        <>
          <Step icon={Plug} title={text.connect} hint={text.connectHint}>
            <ClientsSection />
          </Step>
          <Step
            icon={Sparkles}
            title={text.model}
            hint={text.modelHint}
            isDone={status.models.agents !== null}
          >
            <ModelSection />
          </Step>
        </>
      )}
    </section>
  );
}

type StepProps = {
  icon: LucideIcon;
  title: string;
  hint: string;
  isDone?: boolean;
  children: ReactNode;
};

function Step({ icon: Icon, title, hint, isDone = false, children }: StepProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Collapsible
      isOpen={isOpen}
      onChange={setIsOpen}
      title={
        <span className="flex items-center gap-3 py-2">
          <Icon aria-hidden className="size-5 shrink-0 text-accent" />
          <span className="flex min-w-0 flex-col">
            <span className="text-base font-medium">{title}</span>
            <span className="text-soft">{hint}</span>
          </span>
        </span>
      }
      actions={isDone && <DoneBadge />}
    >
      <div className="flex flex-col gap-3 p-4">{children}</div>
    </Collapsible>
  );
}

function DoneBadge() {
  const text = useSetupText().start;
  return (
    <Badge tone="good">
      <Check aria-hidden className="size-3" />
      {text.done}
    </Badge>
  );
}
