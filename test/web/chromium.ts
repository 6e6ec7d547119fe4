import { existsSync } from 'node:fs';

export const chromiumPath = process.env['KEEPSAKE_CHROMIUM'] ?? '/usr/bin/chromium';
export const hasChromium = existsSync(chromiumPath);
