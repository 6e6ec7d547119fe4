import type { ReactNode } from 'react';

type Props = { title: string; actions?: ReactNode; children: ReactNode };

/** A view with a heading; as wide as is good to read. */
export function Page({ title, actions, children }: Props) {
  return (
    <div className="mx-auto flex w-full max-w-[52rem] flex-col gap-6 px-4 pt-6 pb-12 wide:px-8">
      <header className="flex min-h-8 flex-wrap items-center justify-between gap-3">
        <h1 className="text-title font-semibold">{title}</h1>
        {actions}
      </header>
      {children}
    </div>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-small font-semibold text-soft">{title}</h2>
      {children}
    </section>
  );
}
