import type { IncomingHttpHeaders } from 'node:http';

/** Whether a browser asks, which can show a page; programs name JSON, or nothing in particular. */
export const asksForPage = ({ accept = '' }: IncomingHttpHeaders): boolean =>
  /\btext\/html\b/i.test(accept) && !/^\s*application\/json\b/i.test(accept);
