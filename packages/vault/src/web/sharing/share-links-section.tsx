import { useFormat } from '../text/format.ts';
import { Section } from '../ui/page.tsx';
import { PathLabel } from '../ui/path-label.tsx';
import { SettingsList } from '../settings/settings-list.tsx';
import { useShareText } from './share-text.ts';
import { useShareLinks } from './use-share-links.ts';

/** All links under which notes can be read without signing in. */
export function ShareLinksSection() {
  const text = useShareText();
  const format = useFormat();
  const { links, error, revoke } = useShareLinks();
  return (
    <Section title={text.section}>
      <p className="text-small text-soft">{text.hint}</p>
      <SettingsList
        items={links?.map(({ id, path, until, by }) => {
          const note = path.replace(/^vault\//, '');
          return {
            key: id,
            name: <PathLabel path={note} />,
            detail: [text.until(format.date(until)), ...(by === null ? [] : [text.by(by)])].join(' · '),
            remove: text.revokeNote(note),
            onRemove: () => revoke.mutate(id),
          };
        })}
        error={error}
        none={text.none}
        isBusy={revoke.isPending}
      />
    </Section>
  );
}
