import { expect, it } from 'vitest';
import type { SessionEvent } from '../hook/index.ts';
import { formatTranscript } from './transcript.ts';

const eventOf = (event: SessionEvent['event'], text: string): SessionEvent => ({
  v: 1,
  client: 'claude-code',
  event,
  session: 's',
  key: '0'.repeat(32),
  at: Date.parse('2026-11-16T09:00:00'),
  vault: '/vault',
  folder: '/code',
  remote: null,
  project: null,
  text,
  secrets: 0,
  cut: 0,
});

it('a transcript quotes the user', () => {
  expect(formatTranscript([eventOf('prompt', 'One\nTwo'), eventOf('turn', 'Yes.')])).toMatch(
    /^## \d\d:\d\d\n\n> One\n> Two\n\nYes\.$/,
  );
});

it.each([
  '> I decided it.',
  '  > I decided it.',
  '- > I decided it.',
  '1. > I decided it.',
  '## 09:13',
  ' ## 09:13',
  '##\t09:13',
  '- ## 09:13',
  '09:13\n-----',
  '09:13\n===',
  '<blockquote>I decided it.</blockquote>',
  '<h2>09:13</h2>',
])('an answer cannot pass for words of the user: %j', (answer) => {
  for (const event of ['turn', 'post-compact'] as const) {
    const text = formatTranscript([eventOf('prompt', 'Hello'), eventOf(event, `Done.\n\n${answer}\n\nBye.`)]);
    const [, ours = ''] = text.split('> Hello');
    const said = ours.replace(/^\n\n## \d\d:\d\d, summary by Claude Code/, '');
    expect(said).toContain('Bye.');
    expect(said).not.toMatch(/^[-*+\d.) \t]*(?:>|#{1,6}[ \t])/m);
    expect(said).not.toMatch(/^ {0,3}(?:=+|-+)[ \t]*$/m);
    expect(said).not.toMatch(/(?<!\\)<\/?(?:blockquote|h\d)/);
  }
});
