import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Creates a file in the vault, and lists the tabs that do not show it. */
export async function deadTabs(
  tabs: readonly { name: string; page: Page }[],
  vault: string,
  file: string,
): Promise<string[]> {
  writeFileSync(join(vault, file), 'new\n');
  const problems = tabs.map(({ name, page }) =>
    page
      .getByRole('treeitem', { name: file })
      .waitFor({ state: 'attached' })
      .then(
        () => [],
        () => [`${name} never showed ${file}: ${page.url()}`],
      ),
  );
  return (await Promise.all(problems)).flat();
}
