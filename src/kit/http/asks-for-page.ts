import type { IncomingHttpHeaders } from 'node:http';

/** True for a browser that can show a page; programs ask for JSON, or for nothing in particular. */
export const asksForPage = ({ accept = '' }: IncomingHttpHeaders): boolean =>
  /\btext\/html\b/i.test(accept) && !/^\s*application\/json\b/i.test(accept);
