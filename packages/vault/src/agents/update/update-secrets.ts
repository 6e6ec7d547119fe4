import { formatReason } from '../../contract/index.ts';
import type { Reason } from '../../contract/index.ts';
import { hideSecrets, restoreSecrets } from '../../secrets/index.ts';
import type { MaskedSecret } from '../../secrets/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { baseName, bucketPath, fileKindOf } from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import { stageBytes, stageText } from './staged-files.ts';

type StoredSecrets = { isKept: boolean; secrets: readonly MaskedSecret[] };

/** The secrets of all inputs, by the label of their masks. They are stored outside the vault. */
export type SecretStore = {
  /** Undefined if this machine does not have them, or no longer. */
  find(label: string): StoredSecrets | undefined;
  /** Durable: from now on, masks with this label may be replaced by their secrets. */
  keep(label: string): void;
  forget(label: string): void;
};

/** The secrets of the input that is being filed. Its text has masks instead. */
export type UpdateSecrets = {
  /** Null if the input has none. */
  own: (StoredSecrets & { label: string }) | null;
  /** Replaces the masks of secrets that the user keeps, also of earlier inputs. */
  restoreKept: (text: string) => string;
  /** Replaces the secrets that this update knows by their masks; with `isExact` also numbers and short words. */
  hide: (text: string, isExact?: boolean) => string;
  /** A reason to hold the update without secrets in the address that it names. */
  hideInReason: (reason: Reason) => Reason;
};

export function createUpdateSecrets(label: string | undefined, store: SecretStore): UpdateSecrets {
  const found = label === undefined ? undefined : store.find(label);
  const own = label === undefined || found === undefined ? null : { label, ...found };
  const known = new Map(own?.secrets.map((secret) => [secret.mask, secret]));
  const hide = (text: string, isExact?: boolean): string => hideSecrets(text, [...known.values()], isExact);
  return {
    own,
    restoreKept: (text) =>
      restoreSecrets(text, (of, number) => {
        const stored = store.find(of);
        const secret = stored?.isKept === true ? stored.secrets[number - 1] : undefined;
        if (secret !== undefined) known.set(secret.mask, secret);
        return secret?.value;
      }),
    hide,
    hideInReason(reason) {
      const { path = '', address } = reason.values;
      if (reason.code !== 'loads-from-elsewhere' || typeof address !== 'string' || known.size === 0)
        return reason;
      // A shortened address may end within a secret, which is then not recognized.
      const shown = address.endsWith('…') ? '…' : hide(address, true);
      return formatReason('loads-from-elsewhere', { path, address: shown });
    },
  };
}

/** Replaces all masks, also of secrets that the user does not keep. The result must not be stored or shown. */
export function restoreAll(text: string, store: Pick<SecretStore, 'find'>): string {
  return restoreSecrets(text, (label, number) => store.find(label)?.secrets[number - 1]?.value);
}

/**
 * Puts the secrets that the user keeps into the files that the update writes, and those that it wrote nowhere into a note. Not into the
 * inbox: a model reads its items when they are answered. Returns the masked texts of the changed files.
 */
export async function restoreKeptSecrets(
  run: WriteRun,
  { own, restoreKept }: UpdateSecrets,
  language: Language,
): Promise<Map<VaultPath, string>> {
  const { isInInbox } = run.view.layout();
  const masked = new Map<VaultPath, string>();
  let written = '';
  const staged = [...run.transaction.staged()];
  for (const [path, bytes] of staged) {
    if (bytes === null || fileKindOf(baseName(path)) !== 'markdown') continue;
    const text = bytes.toString();
    written += text;
    if (!isInInbox(path) && restoreIn(run, path, text, restoreKept)) masked.set(path, text);
  }
  if (own?.isKept === true) {
    const note = await storeUnwritten(run, own, { written, language, restore: restoreKept });
    if (note !== null) masked.set(note.path, note.masked);
  }
  return masked;
}

export function restoreIn(
  run: WriteRun,
  path: VaultPath,
  text: string,
  restore: (text: string) => string,
): boolean {
  const restored = restore(text);
  if (restored !== text) stageText(run, path, text, restored);
  return restored !== text;
}

type UnwrittenOptions = { written: string; language: Language; restore: (text: string) => string };

/** Stores the secrets whose masks are not in `written`, with the lines in which they came, in a note of the bucket. */
export async function storeUnwritten(
  run: WriteRun,
  { label, secrets }: { label: string; secrets: readonly MaskedSecret[] },
  { written, language, restore }: UnwrittenOptions,
): Promise<{ path: VaultPath; masked: string } | null> {
  const missing = secrets.filter((_, index) => !written.includes(`[secret ${label}-${index + 1}`));
  if (missing.length === 0) return null;
  const lines = new Set(missing.map(({ context }) => `- ${context}`));
  const masked = `${noteTitles[language]}\n\n${[...lines].join('\n')}\n`;
  const path = await stageBytes(run, bucketPath, `secrets-${label}.md`, Buffer.from(restore(masked)));
  return { path, masked };
}

const noteTitles: Record<Language, string> = { en: '# Kept secrets', fr: '# Secrets conservés' };
