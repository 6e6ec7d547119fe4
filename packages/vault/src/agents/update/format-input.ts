import type { UpdateSession } from '../../contract/index.ts';
import type { ChatContent } from '../../models/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import {
  childPath,
  joinBlocks,
  fileKindOf,
  baseName,
  reviewName,
  formatFolderPath,
  formatPath,
} from '../../vault/index.ts';
import { keepsChangelog, readForModel, formatNow } from '../vault-context.ts';
import type { UpdateJob } from './update-job.ts';
import type { StagedInput } from './stage-input.ts';
import type { InputPart } from './split-input.ts';

/** Shows the input as files with line numbers, so that nothing in it can pass for our instructions. */
export async function formatInput(
  job: UpdateJob,
  run: WriteRun,
  { folder, shown }: StagedInput,
): Promise<ChatContent> {
  const everything = { ...run, bounds: { ...run.bounds, tokens: Infinity } };
  const input = await readForModel(everything, shown.map(formatPath));
  const item = await formatInboxItem(job, run);
  const texts = [
    `${formatIntroduction(job)} It is stored in ${formatFolderPath(folder)}.`,
    input.text,
    item.text,
  ];
  return {
    text: joinBlocks(texts.filter((text) => text !== '')),
    images: [...input.images, ...item.images],
  };
}

type PartContext = {
  part: InputPart;
  /** The first lines of the input, which may name its date and author. */
  start: string;
  /** The number of parts that follow. */
  rest: number;
  /** The summaries of earlier parts. */
  summaries: readonly string[];
};

/** One part of the input with the summaries of earlier parts. Images come with the first part. */
export async function formatPart(
  job: UpdateJob,
  run: WriteRun,
  { folder, shown }: StagedInput,
  { part, start, rest, summaries }: PartContext,
): Promise<ChatContent> {
  const number = summaries.length + 1;
  const paths =
    number > 1 ? [] : shown.filter((path) => fileKindOf(baseName(path)) === 'image').map(formatPath);
  const pictures = paths.length === 0 ? { text: '', images: [] } : await readForModel(run, paths);
  const review = number > 1 || job.answered === null ? null : childPath(job.answered, reviewName);
  const item = review === null ? { text: '', images: [] } : await readForModel(run, [formatPath(review)]);
  const order = rest === 0 ? 'This is the last part' : `This is part ${number} of ${number + rest}`;
  const entry = !(await keepsChangelog(run))
    ? 'End with a summary of what you filed. If nothing in it is worth keeping, search once and say so.'
    : rest === 0
      ? 'Add the single entry in vault/changelog.md for all parts, and summarize all of them.'
      : 'Do not add the entry in vault/changelog.md yet; it belongs to the last part. End with a summary of what you filed from this part. If nothing in it is worth keeping, search once and say so.';
  const { substituteNames } = run.view.layout();
  const texts = [
    `${formatIntroduction(job)} The input is long and is filed in parts. It is stored in ${formatFolderPath(folder)}. ${order}: file only this part. ${substituteNames(entry)}`,
    formatSummaries(summaries),
    number > 1 ? `The input starts as follows:\n\n${start}` : '',
    part.text,
    pictures.text,
    item.text,
  ];
  return {
    text: joinBlocks(texts.filter((text) => text !== '')),
    images: [...pictures.images, ...item.images],
  };
}

function formatIntroduction({ input: { source, receivedAt, session }, secrets, clock }: UpdateJob): string {
  const from = source.kind === 'person' ? "the person's own words" : "not the person's own words";
  const received = receivedAt === undefined ? '' : ` Received: ${formatNow(receivedAt)}.`;
  return `Today is ${formatNow(clock())}. File the following input.${received} Source: ${JSON.stringify(source.name)} (${from}).${session === undefined ? '' : ` ${describeSession(session)}`}${secrets.own === null ? '' : ` ${masksNote(secrets.own.label)}`}`;
}

function describeSession({ client, project }: UpdateSession): string {
  const about = project === null ? '' : ` about the project ${JSON.stringify(project)}`;
  return `It is a conversation of the person (quoted) with ${client}${about}. Keep decisions with their reasons, lasting facts, tasks and changes of state; most of it is not worth keeping, and the words themselves are not kept.`;
}

function masksNote(label: string): string {
  return `Masks such as [secret ${label}-1: …] stand for secrets that code has taken out: where the secret belongs, write its mask exactly as it is. Code asks the person about them.`;
}

/** The answered question with the files next to it. */
async function formatInboxItem({ input, answered }: UpdateJob, run: WriteRun): Promise<ChatContent> {
  if (answered === null) return { text: '', images: [] };
  const item = await readForModel(run, [formatFolderPath(answered)]);
  const text = joinBlocks([
    `This answers the question in inbox item ${input.inboxRef}, which follows.`,
    item.text,
  ]);
  return { text, images: item.images };
}

const maxSummariesCharacters = 6_000;

/** The summaries so far; if they are too long, only the last ones. */
function formatSummaries(summaries: readonly string[]): string {
  if (summaries.length === 0) return '';
  const lines = summaries.map((summary, index) => `- part ${index + 1}: ${summary.replaceAll(/\s+/g, ' ')}`);
  let length = 0;
  const from = lines.findLastIndex((line) => (length += line.length) > maxSummariesCharacters) + 1;
  return ['Filed from earlier parts:', ...(from > 0 ? ['- …'] : []), ...lines.slice(from)].join('\n');
}
