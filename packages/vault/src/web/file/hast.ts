import type { Element as HastElement, ElementContent as HastContent, Text as HastText } from 'hast';

/** The node types of the syntax tree that markdown is parsed into. */
export type Element = HastElement;
export type ElementContent = HastContent;
export type Text = HastText;
export type Root = { type: 'root'; children: ElementContent[] };
