import { useQuery } from '@tanstack/react-query';
import { Check, FileDown, PenLine, Plug, Sparkles } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ClientsSection } from '../settings/clients-section.tsx';
import { ModelSection } from '../settings/model-section.tsx';
import { useServices } from '../shell/services.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/command.tsx';
import { Fold } from '../ui/fold.tsx';
import { ImportFiles } from './import-files.tsx';
import { ownFiles } from './is-fresh.ts';

/** What a vault is begun with, each step done in its place and none of them needed for the next. */
export function GuidedStart() {
  const { queries, arranging } = useServices();
  const text = useSetupText().start;
  const { data: tree } = useQuery(queries.files.tree);
  const { data: status } = useQuery(queries.status);
  if (tree === undefined || status === undefined) return null;
  const own = ownFiles(tree, status.layout);
  return (
    <section aria-label={text.title} className="flex flex-col gap-3">
      <p className="text-small text-soft">{text.hint}</p>
      <Step sign={PenLine} title={text.write} hint={text.writeHint} isDone={own.length > 0} isFirst>
        <Button
          look="primary"
          className="self-start"
          onClick={() => arranging.set({ kind: 'create', folder: '' })}
        >
          {text.write}
        </Button>
      </Step>
      <Step
        sign={FileDown}
        title={text.import}
        hint={text.importHint}
        isDone={own.some((path) => path.startsWith('bucket/'))}
      >
        <ImportFiles />
        <p className="text-small text-soft">{text.larger}</p>
        <Command>keepsake import ~/Downloads/export.zip</Command>
      </Step>
      <Step sign={Plug} title={text.connect} hint={text.connectHint}>
        <ClientsSection />
      </Step>
      <Step sign={Sparkles} title={text.model} hint={text.modelHint} isDone={status.models.agents !== null}>
        <ModelSection />
      </Step>
    </section>
  );
}

type StepProps = {
  sign: LucideIcon;
  title: string;
  hint: string;
  isDone?: boolean;
  /** Open from the beginning. */
  isFirst?: boolean;
  children: ReactNode;
};

function Step({ sign: Sign, title, hint, isDone = false, isFirst = false, children }: StepProps) {
  const text = useSetupText().start;
  const [isOpen, setIsOpen] = useState(isFirst);
  return (
    <Fold
      isOpen={isOpen}
      onChange={setIsOpen}
      title={
        <span className="flex items-center gap-3 py-2">
          <Sign aria-hidden className="size-5 shrink-0 text-accent" />
          <span className="flex min-w-0 flex-col">
            <span className="text-base font-medium">{title}</span>
            <span className="text-soft">{hint}</span>
          </span>
        </span>
      }
      aside={
        isDone && (
          <Badge tone="good">
            <Check aria-hidden className="size-3" />
            {text.done}
          </Badge>
        )
      }
    >
      <div className="flex flex-col gap-3 p-4">{children}</div>
    </Fold>
  );
}
