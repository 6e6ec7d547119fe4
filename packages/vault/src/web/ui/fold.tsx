import { Collapsible } from '@base-ui/react/collapsible';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

type Props = {
  title: ReactNode;
  /** Beside the title, and not part of what opens it. */
  aside?: ReactNode;
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  children: ReactNode;
};

/** A link beside the title, to what the block is about. */
export const foldLink =
  'rounded-small px-1 py-1 text-small font-medium text-accent underline underline-offset-2 whitespace-nowrap';

/** A block with a heading that opens and closes it. */
export function Fold({ title, aside, isOpen, onChange, children }: Props) {
  return (
    <Collapsible.Root
      open={isOpen}
      onOpenChange={onChange}
      className="min-w-0 overflow-hidden rounded-medium border border-line bg-surface"
    >
      <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 py-1 pr-2">
        <Collapsible.Trigger className="group flex min-w-0 flex-1 basis-40 items-center gap-2 self-stretch rounded-small px-3 text-left text-small">
          <ChevronRight
            aria-hidden
            className="size-4 shrink-0 text-soft transition-transform group-data-[panel-open]:rotate-90"
          />
          <span className="min-w-0 flex-1">{title}</span>
        </Collapsible.Trigger>
        {/* Goes below the title, under its first letter, where it does not fit beside it. */}
        <div className="flex flex-wrap items-center gap-2 pl-8 wide:pl-0">{aside}</div>
      </div>
      <Collapsible.Panel className="border-t border-line">{children}</Collapsible.Panel>
    </Collapsible.Root>
  );
}
