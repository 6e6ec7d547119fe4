import { Bot, FolderSync, Import, PenLine, Plug, UserRound, Wrench } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { Change } from '../api/history-api.ts';

type AuthorKind = Change['who']['kind'];

/** The user, the update agent and AI tools each have a color; all other authors share one. */
const authorColors: Record<AuthorKind, string> = {
  person: 'text-who-person',
  agent: 'text-who-agent',
  client: 'text-who-client',
  outside: 'text-who-other',
  sync: 'text-who-other',
  import: 'text-who-other',
  upkeep: 'text-who-other',
};
const icons: Record<AuthorKind, LucideIcon> = {
  person: UserRound,
  agent: Bot,
  client: Plug,
  outside: PenLine,
  sync: FolderSync,
  import: Import,
  upkeep: Wrench,
};

/** Shows the author of a change. Decorative, because the text next to it names the author. */
export function AuthorIcon({ kind }: { kind: AuthorKind }) {
  const Icon = icons[kind];
  return (
    <span
      className={`grid size-6 shrink-0 place-items-center rounded-full border border-line bg-surface ${authorColors[kind]}`}
    >
      <Icon aria-hidden className="size-3.5" />
    </span>
  );
}
