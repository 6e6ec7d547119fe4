import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { baseName } from '../file-actions/file-action.ts';
import { SettingsList } from '../settings/settings-list.tsx';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { Button } from '../ui/button.tsx';
import { CopyableCommand } from '../ui/copyable-command.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Modal } from '../ui/modal.tsx';
import { Notice } from '../ui/notice.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { useShareText } from './share-text.ts';
import { useShareLinks } from './use-share-links.ts';

const periods = ['1', '7', '30', '90'] as const;

/** Creates a link under which anyone can read a note, and lists those that exist. */
export function ShareDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const { api } = useServices();
  const text = useShareText();
  const format = useFormat();
  const { links, isLocal, error, revoke, refetch } = useShareLinks();
  const [days, setDays] = useState<(typeof periods)[number]>('30');
  const [isConfirmed, setIsConfirmed] = useState(false);
  const create = useMutation({
    mutationFn: () => api.sharing.create(path, Number(days), isConfirmed),
    onSuccess: refetch,
    // The link is shown once and must not stay in the cache.
    gcTime: 0,
  });
  const own = links?.filter((link) => link.path === `vault/${path}`) ?? [];
  return (
    <Modal title={text.title(baseName(path))} isTitleShown isOpen onClose={onClose}>
      <div className="flex min-h-0 flex-col gap-3 overflow-auto p-4 text-small">
        <p>{text.explain}</p>
        {isLocal === false && <p className="text-soft">{text.reach}</p>}
        {isLocal === true && (
          <Notice tone="warn" title={text.local}>
            <label className="mt-1 flex items-center gap-2">
              <input
                type="checkbox"
                checked={isConfirmed}
                onChange={(event) => setIsConfirmed(event.target.checked)}
              />
              {text.anyway}
            </label>
          </Notice>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <span>{text.ends}</span>
          <SegmentedControl
            label={text.ends}
            value={days}
            onChange={setDays}
            options={periods.map((value) => ({ value, label: text.days(Number(value)) }))}
          />
          <Button
            variant="primary"
            disabled={create.isPending || isLocal === undefined || (isLocal && !isConfirmed)}
            onClick={() => create.mutate()}
          >
            {create.isPending ? text.creating : text.create}
          </Button>
        </div>
        {create.error !== null && <ErrorNotice error={create.error} />}
        {create.data !== undefined && (
          <Notice title={text.once}>
            <CopyableCommand>{atThisOrigin(create.data.url)}</CopyableCommand>
          </Notice>
        )}
        <p className="text-soft">{text.follows}</p>
        {(own.length > 0 || error !== null) && (
          <>
            <h3 className="font-medium">{text.active}</h3>
            <SettingsList
              items={own.map(({ id, until, by }) => ({
                key: id,
                name: text.until(format.date(until)),
                detail: by === null ? '' : text.by(by),
                remove: text.revoke(format.date(until)),
                onRemove: () => revoke.mutate(id),
              }))}
              error={error}
              none=""
              isBusy={revoke.isPending}
            />
          </>
        )}
      </div>
      <div className="flex border-t border-line p-4">
        <Button onClick={onClose}>{text.close}</Button>
      </div>
    </Modal>
  );
}

/** The server may not know the scheme and host of a proxy in front of it. */
function atThisOrigin(url: string): string {
  return `${location.origin}${new URL(url).pathname}`;
}
