import type { Element as HastElement, ElementContent as HastContent, Text as HastText } from 'hast';

/** The parts of what markdown becomes before it is shown. */
export type Element = HastElement;
export type ElementContent = HastContent;
export type Text = HastText;
export type Root = { type: 'root'; children: ElementContent[] };
