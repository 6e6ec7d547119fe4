/** Of a section `s` in a file `f`, its document `d` and its content `c`. */
export const sectionColumns = `s.id, f.path, f.revision, s.first_line as first, s.last_line as last,
  s.is_whole as isWhole, d.title as trail, c.doc as body`;

/** Whether the day it belongs to, else that of its file, is between the two. */
export const isInTime = `substr(coalesce(nullif(s.day, ''), f.updated), 1, 10) between @from and @to`;
