import type { Transport } from '../../../client/call-client.ts';

/** As `fetch` does, which cannot say how much was sent. `onSent` hears the share, from 0 to 1. */
export const uploadBy =
  (onSent: (share: number) => void): Transport =>
  (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const request = new XMLHttpRequest();
      request.open(method, url);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 0 : loaded / total);
      request.upload.onload = () => onSent(1);
      request.onload = () => resolve(responseOf(request));
      request.onerror = () => reject(new TypeError('The connection was lost'));
      request.onabort = () => reject(new DOMException('The upload was taken back', 'AbortError'));
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      request.send(body);
    });

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const [name = '', ...value] = line.split(': ');
    if (name !== '') headers.append(name, value.join(': '));
  }
  return new Response(request.responseText, { status: request.status, headers });
}
