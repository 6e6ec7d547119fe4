import { expect, it } from 'vitest';
import { costRatio } from '../../../../../test/cost-ratio.ts';
import { convert } from '../convert.ts';
import { defaultLimits } from '../limits.ts';

const convertDeep = (depth: number) =>
  convert(
    'html',
    { name: 'page.html', bytes: Buffer.from(`<h1>Title</h1>${'<div>'.repeat(depth)}<p>words</p>`) },
    { stem: 'page', limits: defaultLimits },
  );

it('a deeply nested page is converted completely and in reasonable time', async () => {
  expect(await convertDeep(600)).toMatchObject({
    markdown: '# Title\n\nwords',
    metadata: { title: 'Title' },
  });
  expect(
    await costRatio(
      () => convertDeep(600),
      () => convertDeep(160),
    ),
  ).toBeLessThan(15);
});
