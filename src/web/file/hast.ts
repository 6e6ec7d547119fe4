import type { ExtraProps } from 'react-markdown';

/** The parts of what markdown becomes before it is shown. */
export type Element = NonNullable<ExtraProps['node']>;
export type ElementContent = Element['children'][number];
export type Text = Extract<ElementContent, { type: 'text' }>;
export type Root = { type: 'root'; children: ElementContent[] };
