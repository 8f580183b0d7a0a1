import type { IncomingHttpHeaders } from 'node:http';

/** True for a browser that can show a page; programs ask for JSON, or for nothing in particular. */
export const asksForPage = ({ accept = '' }: IncomingHttpHeaders): boolean =>
  /\btext\/html\b/i.test(accept) && !/^\s*application\/json\b/i.test(accept);

/** True for a browser that goes to an address which is not the API's. */
export const opensPage = ({ method, url, headers }: PageRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !/^\/api(?:[/?]|$)/.test(url) &&
  [undefined, 'document'].includes(headers['sec-fetch-dest']) &&
  asksForPage(headers);

interface PageRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
}
