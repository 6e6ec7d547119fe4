import { Inbox, Search } from 'lucide-react';
import { useState } from 'react';
import { StepList } from '../../../packages/vault/src/web/activity/step-list.tsx';
import { useServices } from '../../../packages/vault/src/web/shell/services.ts';
import { useText } from '../../../packages/vault/src/web/text/use-text.ts';
import { Badge } from '../../../packages/vault/src/web/ui/badge.tsx';
import { Button, IconButton } from '../../../packages/vault/src/web/ui/button.tsx';
import { SegmentedControl } from '../../../packages/vault/src/web/ui/segmented-control.tsx';
import { CopyableCommand } from '../../../packages/vault/src/web/ui/copyable-command.tsx';
import { DiffView } from '../../../packages/vault/src/web/ui/diff-view.tsx';
import { EmptyState } from '../../../packages/vault/src/web/ui/empty-state.tsx';
import { Collapsible } from '../../../packages/vault/src/web/ui/collapsible.tsx';
import { Modal } from '../../../packages/vault/src/web/ui/modal.tsx';
import { Notice } from '../../../packages/vault/src/web/ui/notice.tsx';
import { Page, Section } from '../../../packages/vault/src/web/ui/page.tsx';
import { PathLabel } from '../../../packages/vault/src/web/ui/path-label.tsx';
import { Spinner } from '../../../packages/vault/src/web/ui/spinner.tsx';

const diff =
  '@@ -3,3 +3,3 @@\n ## Blocked by\n-The external API is late.\n+Nothing: it is built in house.\n \n';
const colours = [
  'page',
  'surface',
  'sunken',
  'hover',
  'track',
  'knob',
  'accent',
  'accent-soft',
  'good-soft',
  'warn-soft',
  'danger-soft',
  'mark',
];
const steps = [
  { tool: 'search', about: 'external API', state: 'done' },
  { tool: 'read', about: 'vault/projects/startup-x/state.md', state: 'failed' },
  { tool: 'edit', about: 'vault/projects/startup-x/state.md', state: 'running' },
] as const;

/** Every component in every state. */
export function ComponentsPage() {
  const text = useText();
  return (
    <Page title="Components">
      <p className="text-small text-soft">Every part of the interface, in every state.</p>
      <Controls />
      <Section title="Notice">
        <Notice title="Info">Something worth knowing.</Notice>
        <Notice tone="warn" title="Warning" actions={<Button>Act</Button>}>
          Something to look at.
        </Notice>
        <Notice tone="danger" title="Problem">
          Something went wrong, and this is what to do.
        </Notice>
      </Section>
      <Folded />
      <Section title="Steps, Spinner, Command">
        <StepList steps={steps} />
        <Spinner label={text.run.working} />
        <CopyableCommand>keepsake open</CopyableCommand>
      </Section>
      <Tokens />
      <Layers />
      <Section title="EmptyState">
        <EmptyState icon={Inbox} title={text.inbox.empty} hint={text.inbox.emptyHint} />
      </Section>
    </Page>
  );
}

function Controls() {
  const [choice, setChoice] = useState<'one' | 'two' | 'three'>('one');
  return (
    <>
      <Section title="Button">
        <div className="flex flex-wrap gap-2">
          <Button variant="primary">Primary</Button>
          <Button>Plain</Button>
          <Button variant="ghost">Quiet</Button>
          <Button variant="danger">Danger</Button>
          <Button disabled>Disabled</Button>
          <IconButton label="Search">
            <Search aria-hidden className="size-4" />
          </IconButton>
        </div>
      </Section>
      <Section title="Badge">
        <div className="flex flex-wrap gap-2">
          {(['neutral', 'accent', 'good', 'warn', 'danger'] as const).map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
      </Section>
      <Section title="Choice">
        <SegmentedControl
          label="Choice"
          value={choice}
          onChange={setChoice}
          options={[
            { value: 'one', label: 'One' },
            { value: 'two', label: 'Two' },
            { value: 'three', label: 'Three', isDisabled: true },
          ]}
        />
      </Section>
    </>
  );
}

function Folded() {
  const text = useText();
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Section title="Collapsible, PathLabel, DiffView">
      <Collapsible
        isOpen={isOpen}
        onChange={setIsOpen}
        title={<PathLabel path="projects/startup-x/state.md" />}
        actions={<Badge tone="good">{text.answer.states.same}</Badge>}
      >
        <DiffView diff={diff} />
      </Collapsible>
    </Section>
  );
}

function Tokens() {
  return (
    <>
      <Section title="Type">
        <p className="text-title font-semibold">Title 22/30</p>
        <p className="text-large">Large 18/26</p>
        <p className="text-base">Base 15/24</p>
        <p className="text-small">Small 13/20</p>
        <p className="text-tiny">Tiny 12/16</p>
      </Section>
      <Section title="Colour">
        <ul className="grid grid-cols-2 gap-2 wide:grid-cols-5">
          {colours.map((name) => (
            <li key={name} className="flex items-center gap-2 text-tiny">
              <span
                className="size-8 rounded-medium border border-line"
                style={{ background: `var(--color-${name})` }}
              />
              {name}
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function Layers() {
  const { toasts } = useServices();
  const text = useText();
  const [isModal, setIsModal] = useState(false);
  return (
    <Section title="Modal, Toast">
      <div className="flex gap-2">
        <Button onClick={() => setIsModal(true)}>Open a modal</Button>
        <Button onClick={() => toasts.show('Done')}>Say something</Button>
      </div>
      <Modal title="Modal" isOpen={isModal} onClose={() => setIsModal(false)}>
        <div className="flex items-center justify-between p-4">
          <p>A window above the page.</p>
          <Button onClick={() => setIsModal(false)}>{text.shell.close}</Button>
        </div>
      </Modal>
    </Section>
  );
}
