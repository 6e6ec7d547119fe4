import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useServices } from '../shell/services.ts';

type HeaderProps = {
  /** Breadcrumbs or a link back. */
  eyebrow?: ReactNode;
  title: string;
  /** Shows the title at the end of the eyebrow, for a page whose content starts with a title of its own. */
  isTitleInEyebrow?: boolean;
  /** A line of small print. */
  about?: ReactNode;
  actions?: ReactNode;
};

/** Long titles get a smaller font, first on narrow screens. */
function sizeOf(title: string): string {
  if (title.length > 80) return 'text-large';
  return title.length > 36 ? 'text-large wide:text-title' : 'text-title';
}

/** The header of every page. */
export function PageHeader({ eyebrow, title, isTitleInEyebrow = false, about, actions }: HeaderProps) {
  const { pageTitle: ofTab } = useServices();
  useEffect(() => {
    ofTab.set(title);
    return () => ofTab.set('');
  }, [ofTab, title]);
  return (
    <header className="flex min-w-0 flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
        <div className={isTitleInEyebrow ? 'flex flex-wrap gap-x-1' : 'contents'}>
          {eyebrow !== undefined && <div className="text-small text-soft">{eyebrow}</div>}
          <h1
            className={`min-w-0 font-semibold text-balance break-words whitespace-pre-wrap ${isTitleInEyebrow ? 'text-small' : sizeOf(title)}`}
          >
            {title}
          </h1>
        </div>
        {about !== undefined && (
          <div className="flex min-h-5 flex-wrap items-center gap-2 text-tiny text-soft">{about}</div>
        )}
      </div>
      {actions !== undefined && <div className="flex max-w-full flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}

/** A page with a header, limited to a readable width. */
export function Page({ children, ...header }: HeaderProps & { children: ReactNode }) {
  return (
    <div className="mx-auto flex w-full max-w-[52rem] flex-col gap-6 px-4 pt-6 pb-12 wide:px-8">
      <PageHeader {...header} />
      {children}
    </div>
  );
}

type SectionProps = {
  title: string;
  /** A link beside the title. */
  more?: ReactNode;
  children: ReactNode;
};

export function Section({ title, more, children }: SectionProps) {
  return (
    <section className="flex min-w-0 flex-col gap-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-small font-semibold text-soft">{title}</h2>
        {more !== undefined && (
          <span className="text-small text-accent underline underline-offset-2">{more}</span>
        )}
      </div>
      {children}
    </section>
  );
}
