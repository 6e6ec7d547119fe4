import type { ChatContent } from '../../models/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import {
  childPath,
  joinBlocks,
  kindOf,
  nameOf,
  reviewName,
  showFolder,
  showPath,
} from '../../vault/index.ts';
import { readAsModel, today } from '../opening.ts';
import type { Job } from './filing.ts';
import type { Incoming } from './incoming.ts';
import type { Portion } from './portions.ts';

/** What came in is shown as files are, line by line with numbers, so that nothing in it can pass for our words. */
export async function presentInput(
  job: Job,
  run: WriteRun,
  { folder, shown }: Incoming,
): Promise<ChatContent> {
  const everything = { ...run, bounds: { ...run.bounds, tokens: Infinity } };
  const input = await readAsModel(everything, shown.map(showPath));
  const item = await presentItem(job, run);
  const texts = [`${opening(job)} It lies in ${showFolder(folder)}.`, input.text, item.text];
  return {
    text: joinBlocks(texts.filter((text) => text !== '')),
    images: [...input.images, ...item.images],
  };
}

type Among = {
  portion: Portion;
  /** The first lines of all, which may say when and by whom it was said. */
  start: string;
  /** How many come after it. */
  rest: number;
  /** What was said of those before it. */
  summaries: readonly string[];
};

/** A part of what came in, with a short account of the parts before it. Images come with the first. */
export async function presentPortion(
  job: Job,
  run: WriteRun,
  { folder, shown }: Incoming,
  { portion, start, rest, summaries }: Among,
): Promise<ChatContent> {
  const number = summaries.length + 1;
  const paths = number > 1 ? [] : shown.filter((path) => kindOf(nameOf(path)) === 'image').map(showPath);
  const pictures = paths.length === 0 ? { text: '', images: [] } : await readAsModel(run, paths);
  const review = number > 1 || job.answered === null ? null : childPath(job.answered, reviewName);
  const item = review === null ? { text: '', images: [] } : await readAsModel(run, [showPath(review)]);
  const order = rest === 0 ? 'It is the last part' : `This is part ${number} of ${number + rest}`;
  const entry =
    rest === 0
      ? 'Add the one entry of vault/changelog.md for all parts, and let the summary be about all of them.'
      : 'The entry of vault/changelog.md comes with the last part. End with a summary of what you filed of this part; if nothing in it is worth keeping, search once, and say so.';
  const { inWords } = run.view.layout();
  const texts = [
    `${opening(job)} It is long, and lies in ${showFolder(folder)}. ${order}: file what it says, and nothing else. ${inWords(entry)}`,
    accountOf(summaries),
    number > 1 ? `It begins so:\n\n${start}` : '',
    portion.text,
    pictures.text,
    item.text,
  ];
  return {
    text: joinBlocks(texts.filter((text) => text !== '')),
    images: [...pictures.images, ...item.images],
  };
}

function opening({ input: { source, receivedAt }, clock }: Job): string {
  const from = source.kind === 'person' ? 'the words of the person' : 'not the words of the person';
  const received = receivedAt === undefined ? '' : ` It was received on ${today(receivedAt)}.`;
  return `It is ${today(clock())}. File this.${received} It comes from ${JSON.stringify(source.name)}: ${from}.`;
}

/** The question that is answered, with what lies beside it. */
async function presentItem({ input, answered }: Job, run: WriteRun): Promise<ChatContent> {
  if (answered === null) return { text: '', images: [] };
  const item = await readAsModel(run, [showFolder(answered)]);
  const text = joinBlocks([
    `It answers the question you asked in the inbox item ${input.inboxRef}, which follows.`,
    item.text,
  ]);
  return { text, images: item.images };
}

const longestAccount = 6_000;

/** What was filed so far; of many parts the last ones. */
function accountOf(summaries: readonly string[]): string {
  if (summaries.length === 0) return '';
  const lines = summaries.map((summary, index) => `- part ${index + 1}: ${summary.replaceAll(/\s+/g, ' ')}`);
  let length = 0;
  const from = lines.findLastIndex((line) => (length += line.length) > longestAccount) + 1;
  return ['What you filed of the parts before:', ...(from > 0 ? ['- …'] : []), ...lines.slice(from)].join(
    '\n',
  );
}
