import { Fault } from './config-error.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** Schemes that a browser handles itself instead of passing them to an app. */
const BROWSER_SCHEME = /^(?:javascript|data|blob|file|about|vbscript|view-source|ws|wss|ftp|filesystem):$/;

const isProtected = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));

const isBare = ({ username, password, search, hash }: URL): boolean =>
  username + password + search + hash === '';

/** A provider's address: https, or http on this machine; without a final slash. */
export function parseProviderUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && isProtected(url) && isBare(url)) return text.replace(/\/+$/, '');
  throw new Fault(`is '${text}', but must be an https:// address (http:// on this machine alone)`);
}

/** A page of a web app, or an address that a mobile app has registered, in its normal form. */
export function parseReturnUrl(text: string): string {
  const url = URL.parse(text);
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  const fits = url !== null && isBare(url) && (isWeb ? isProtected(url) : !BROWSER_SCHEME.test(url.protocol));
  if (url !== null && fits) return url.href;
  throw new Fault(
    `has '${text}', but takes https:// pages (http:// on this machine alone) and addresses of apps such as canonry://signed-in, without ? and #`,
  );
}
