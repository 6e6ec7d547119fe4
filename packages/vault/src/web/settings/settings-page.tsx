import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Reason } from '../../contract/index.ts';
import type { Status } from '../api/client.ts';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useViewer } from '../shell/use-viewer.ts';
import { useFormat } from '../text/format.ts';
import { translateReason } from '../text/translate-reason.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page, Section } from '../ui/page.tsx';
import { BriefSection } from './brief-section.tsx';
import { ClientsSection } from './clients-section.tsx';
import { ExclusionsSection } from './exclusions-section.tsx';
import { GrantsSection } from './grants-section.tsx';
import { ModelSection } from './model-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PeopleSection } from './people-section.tsx';
import { PhoneSection } from './phone-section.tsx';
import { TokensSection } from './tokens-section.tsx';

export function SettingsPage() {
  const { api, queries, toasts } = useServices();
  const text = useText().settings;
  const { data: status, error } = useQuery(queries.status);
  // Some sections are only for owners or the operator; the server would reject requests from other members.
  const { isOwner, isOperator } = useViewer();
  return (
    <Page title={text.title}>
      {error !== null && <ErrorNotice error={error} />}
      {status !== undefined && <CurrentStatus status={status} />}
      {status !== undefined && status.models.agents === null && (
        <NoModelSection problem={status.models.problem} />
      )}
      {isOwner && (
        <>
          <ModelSection />
          <ExclusionsSection />
          {isOperator && <ClientsSection />}
          <BriefSection />
          <TokensSection />
          <PeopleSection />
        </>
      )}
      <GrantsSection />
      <PasskeysSection />
      {status?.role !== 'reader' && <PhoneSection />}
      <Appearance />
      <Section title={text.keys}>
        <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1 text-small">
          {text.keyList.map(([keys, what]) => (
            <div key={keys} className="col-span-2 grid grid-cols-subgrid">
              <dt>
                <kbd className="font-sans font-medium">{keys}</kbd>
              </dt>
              <dd className="text-soft">{what}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <div className="flex flex-wrap items-center gap-4">
        {isOwner && (
          <Button onClick={() => void api.signIn.signOut().catch(toasts.showError)}>{text.signOut}</Button>
        )}
      </div>
    </Page>
  );
}

function CurrentStatus({ status }: { status: Status }) {
  const text = useText();
  const format = useFormat();
  const { index, queue, models, spend } = status;
  const rows: [string, ReactNode][] = [
    [text.settings.vault, status.vault],
    [
      text.settings.index,
      `${text.settings.indexed(index.files, index.sections)} · ${
        index.comparedAt === null
          ? text.settings.notCompared
          : text.settings.compared(format.ago(index.comparedAt))
      }`,
    ],
    [text.settings.queue, text.settings.queueNow(queue.waiting, queue.running, queue.parked)],
    [text.settings.model, models.agents ?? text.status.noModel],
    [
      text.settings.spend,
      spend.cost === null
        ? text.status.unpriced(format.number(spend.tokens))
        : text.settings.spent(format.number(spend.tokens), format.money(spend.cost)),
    ],
    [text.settings.version, status.version],
  ];
  return (
    <Section title={text.settings.now}>
      <dl className="divide-y divide-line rounded-medium border border-line bg-surface text-small">
        {rows.map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-4 px-3 py-2">
            <dt className="w-20 shrink-0 text-soft wide:w-40">{name}</dt>
            <dd className="min-w-0 flex-1 basis-40 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function NoModelSection({ problem }: { problem: Reason | null }) {
  const words = useText();
  const text = words.settings;
  return (
    <Section title={text.withoutModel}>
      <ul className="flex flex-col gap-1 text-small">
        {text.works.map((line) => (
          <li key={line} className="flex gap-2">
            <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />
            {line}
          </li>
        ))}
      </ul>
      <Notice tone="warn" title={text.needsModel}>
        {problem !== null && <p className="first-letter:uppercase">{translateReason(problem, words)}</p>}
      </Notice>
    </Section>
  );
}

const setting = 'flex flex-col gap-1.5 wide:flex-row wide:items-center wide:justify-between wide:gap-4';

function Appearance() {
  const { preferences } = useServices();
  const text = useText().settings;
  const { theme, language } = useStore(preferences);
  return (
    <Section title={text.appearance}>
      <div className={setting}>
        <span className="text-small">{text.theme}</span>
        <SegmentedControl
          label={text.theme}
          value={theme}
          onChange={(next) => preferences.set((all) => ({ ...all, theme: next }))}
          options={(['system', 'light', 'dark'] as const).map((value) => ({
            value,
            label: text.themes[value],
          }))}
        />
      </div>
      <div className={setting}>
        <span className="text-small">{text.language}</span>
        <SegmentedControl
          label={text.language}
          value={language}
          onChange={(next) => preferences.set((all) => ({ ...all, language: next }))}
          options={(['auto', 'en', 'fr'] as const).map((value) => ({ value, label: text.languages[value] }))}
        />
      </div>
    </Section>
  );
}
