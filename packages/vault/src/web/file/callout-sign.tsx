import {
  CircleCheck,
  CircleQuestionMark,
  Info,
  Lightbulb,
  List,
  OctagonAlert,
  Quote,
  TriangleAlert,
} from 'lucide-react';

const signs: [RegExp, typeof Info][] = [
  [/^(?:tip|hint|important)$/, Lightbulb],
  [/^(?:warning|caution|attention)$/, TriangleAlert],
  [/^(?:danger|error|bug|failure|fail|missing)$/, OctagonAlert],
  [/^(?:success|check|done)$/, CircleCheck],
  [/^(?:question|help|faq)$/, CircleQuestionMark],
  [/^(?:example|todo|abstract|summary|tldr)$/, List],
  [/^(?:quote|cite)$/, Quote],
];

/** In front of the title of a callout; nothing elsewhere. */
export function CalloutSign({ kind }: { kind: string | undefined }) {
  if (kind === undefined) return null;
  const Sign = signs.find(([kinds]) => kinds.test(kind))?.[1] ?? Info;
  return <Sign aria-hidden className="mr-2 inline size-4 align-[-0.125rem]" />;
}
