import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findInstalled } from './installed.ts';

const found = findInstalled();
if ('missing' in found) console.log(`skipped: ${found.missing}`);

const command = fileURLToPath(new URL('./conformance.ts', import.meta.url));

describe.skipIf('missing' in found)('the MCP server in the official conformance suite', () => {
  it.each(['2026-07-28', '2025-11-25'])('passes all scenarios that apply to %s', async (revision) => {
    const { stdout } = await promisify(execFile)(process.execPath, [command, revision]);
    expect(stdout).toMatch(/\d+ pass on Keepsake's server/);
    console.log(stdout);
  });
});
