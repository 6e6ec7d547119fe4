import { resolveLink } from '../html/link-rules.ts';
import { cutRun, nearest } from './cut-run.ts';
import { toBox } from './matrix.ts';
import { boxOf, overlap } from './run.ts';
import type { Box, Run } from './run.ts';

type Link = Box & { url: string };

/** Pages say where on them a link is, not what its words are. */
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

/** Only a part of the run may be the link: it is cut where words begin. */
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
    cutRun(run, 0, start),
    { ...cutRun(run, start, end), link: link.url },
    cutRun(run, end, run.text.length),
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
