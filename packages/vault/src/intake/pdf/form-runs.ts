import { cleanText } from '../markdown/clean-text.ts';
import { toBox } from './matrix.ts';
import { boxOf, overlap, plainStyle } from './run.ts';
import type { Box, Run } from './run.ts';

type Field = {
  subtype?: string;
  fieldType?: string;
  fieldValue?: unknown;
  rect?: number[];
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: string;
  buttonValue?: string;
};

/** Reads the values of form fields, which are annotations and not part of the page content. */
export function readFormFields(
  annotations: unknown[],
  view: readonly number[],
  labels: readonly Run[],
): Run[] {
  return annotations.flatMap((annotation) => {
    const field = annotation as Field;
    const text = field.subtype === 'Widget' ? fieldText(field) : '';
    if (text === '' || field.rect === undefined) return [];
    const box = toBox(field.rect, view);
    const size = Math.min(box.bottom - box.top, 14) * 0.8;
    const lines = text.split('\n');
    const middle = (box.top + box.bottom) / 2 + size * (0.3 - (lines.length - 1) * 0.6);
    const first = labels.find((label) => isLabelOf(label, box))?.y ?? middle;
    return lines.map((line, index) => ({
      text: line,
      x: box.left,
      y: first + size * index * 1.2,
      width: Math.min(box.right - box.left, line.length * size * 0.5),
      size,
      style: plainStyle,
      isRtl: false,
      hasLeadingSpace: true,
    }));
  });
}

function isLabelOf(label: Run, field: Box): boolean {
  const { top, right, bottom } = boxOf(label);
  const isClose = right <= field.left + 2 && right > field.left - 60;
  return isClose && overlap([top, bottom], [field.top, field.bottom]) > label.size * 0.3;
}

function fieldText(field: Field): string {
  if (field.fieldType === 'Btn') {
    const on = field.checkBox ? field.exportValue : field.radioButton ? field.buttonValue : undefined;
    return on !== undefined && field.fieldValue === on ? '☒' : '';
  }
  const value = Array.isArray(field.fieldValue) ? field.fieldValue.join(', ') : field.fieldValue;
  return typeof value === 'string' ? cleanText(value).trim() : '';
}
