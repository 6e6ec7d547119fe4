/** Whether the day it belongs to, else that of its file, is between the two. */
export const isInTime = `substr(coalesce(nullif(s.day, ''), f.updated), 1, 10) between @from and @to`;
