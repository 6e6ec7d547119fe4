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

const icons: [RegExp, typeof Info][] = [
  [/^(?:tip|hint|important)$/, Lightbulb],
  [/^(?:warning|caution|attention)$/, TriangleAlert],
  [/^(?:danger|error|bug|failure|fail|missing)$/, OctagonAlert],
  [/^(?:success|check|done)$/, CircleCheck],
  [/^(?:question|help|faq)$/, CircleQuestionMark],
  [/^(?:example|todo|abstract|summary|tldr)$/, List],
  [/^(?:quote|cite)$/, Quote],
];

/** The icon before the title of a callout; null for other elements. */
export function CalloutIcon({ kind }: { kind: string | undefined }) {
  if (kind === undefined) return null;
  const Icon = icons.find(([kinds]) => kinds.test(kind))?.[1] ?? Info;
  return <Icon aria-hidden className="mr-2 inline size-4 align-[-0.125rem]" />;
}
