import { hostileDocx } from './hostile/docx.ts';
import type { HostileDocument } from './hostile/document.ts';
import { hostileHtml } from './hostile/html.ts';
import { hostileLies } from './hostile/lies.ts';
import { hostileMail } from './hostile/mail.ts';
import { hostilePdf } from './hostile/pdf.ts';
import { hostileTables } from './hostile/tables.ts';

export const hostileDocuments: HostileDocument[] = [
  ...hostileLies,
  ...hostileDocx,
  ...hostilePdf,
  ...hostileHtml,
  ...hostileMail,
  ...hostileTables,
];
