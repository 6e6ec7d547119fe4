import { Bot, FolderSync, Import, PenLine, Plug, UserRound, Wrench } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { Change } from '../api/history-api.ts';

type Kind = Change['who']['kind'];

/** One colour each for the person, the update agent and AI tools, and one for all else. */
const whoColours: Record<Kind, string> = {
  person: 'text-who-person',
  agent: 'text-who-agent',
  client: 'text-who-client',
  outside: 'text-who-other',
  sync: 'text-who-other',
  import: 'text-who-other',
  upkeep: 'text-who-other',
};
const signs: Record<Kind, LucideIcon> = {
  person: UserRound,
  agent: Bot,
  client: Plug,
  outside: PenLine,
  sync: FolderSync,
  import: Import,
  upkeep: Wrench,
};

/** Who made a change, as a sign; the words beside it say the same. */
export function WhoSign({ kind }: { kind: Kind }) {
  const Sign = signs[kind];
  return (
    <span
      className={`grid size-7 shrink-0 place-items-center rounded-full border border-line bg-surface ${whoColours[kind]}`}
    >
      <Sign aria-hidden className="size-4" />
    </span>
  );
}
