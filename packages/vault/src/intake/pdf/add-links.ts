import { resolveLink } from '../html/link-rules.ts';
import { sliceRun, nearest } from './split-run.ts';
import { toBox } from './matrix.ts';
import { boxOf, overlap } from './run.ts';
import type { Box, Run } from './run.ts';

type Link = Box & { url: string };

/** Assigns links to runs by position: a PDF says where a link is on the page, not what its text is. */
export function addLinks(runs: Run[], annotations: unknown[], view: readonly number[]): Run[] {
  const links = annotations.flatMap((annotation) => readLink(annotation, view));
  if (links.length === 0) return runs;
  return links.reduce((split, link) => split.flatMap((run) => applyLink(run, link)), runs);
}

function readLink(annotation: unknown, view: readonly number[]): Link[] {
  const { subtype, url, rect } = annotation as { subtype?: string; url?: string; rect?: number[] };
  const target = resolveLink(url ?? '');
  if (subtype !== 'Link' || target === undefined || rect === undefined) return [];
  return [{ ...toBox(rect, view), url: target }];
}

/** Splits the run at word boundaries when only a part of it is the link. */
function applyLink(run: Run, link: Link): Run[] {
  const box = boxOf(run);
  const middle = (box.top + box.bottom) / 2;
  const shared = overlap([box.left, box.right], [link.left, link.right]);
  if (run.link !== undefined || shared < run.size * 0.4 || middle < link.top || middle > link.bottom)
    return [run];
  if (shared > run.width * 0.9 || run.isRtl) return [{ ...run, link: link.url }];
  const start = wordStart(run, link.left);
  const end = wordEnd(run, link.right);
  return [
    sliceRun(run, 0, start),
    { ...sliceRun(run, start, end), link: link.url },
    sliceRun(run, end, run.text.length),
  ].filter(({ text }) => text !== '');
}

function wordStart(run: Run, x: number): number {
  const at = Math.max(0, Math.round(((x - run.x) / run.width) * run.text.length));
  const starts = [0, ...[...run.text.matchAll(/(?<=\s|[([«"'’])\S/g)].map(({ index }) => index)];
  return nearest(starts, at) ?? 0;
}

function wordEnd(run: Run, x: number): number {
  const at = Math.min(run.text.length, Math.round(((x - run.x) / run.width) * run.text.length));
  const ends = [
    ...[...run.text.matchAll(/(?=\s|[.,;:!?)\]»"'’](?:\s|$))/g)].map(({ index }) => index),
    run.text.length,
  ];
  return nearest(ends, at) ?? run.text.length;
}
