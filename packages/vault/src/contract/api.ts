/**
 * Schemas of the HTTP requests and responses, one file per subject, like `server/http/routes/`.
 * `api/fields.ts` has the fields that several subjects share; they are not exported.
 */
export * from './api/access.ts';
export * from './api/answers.ts';
export * from './api/brief.ts';
export * from './api/files.ts';
export * from './api/forget.ts';
export * from './api/grants.ts';
export * from './api/history.ts';
export * from './api/imports.ts';
export * from './api/inbox.ts';
export * from './api/notes.ts';
export * from './api/params.ts';
export * from './api/people.ts';
export * from './api/problem.ts';
export * from './api/projects.ts';
export * from './api/search.ts';
export * from './api/settings.ts';
export * from './api/sign-in.ts';
export * from './api/status.ts';
export * from './api/tasks.ts';
export * from './api/today.ts';
export * from './api/tools.ts';
export * from './api/updates.ts';
