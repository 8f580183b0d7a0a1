const OPENABLE = new Set(['http:', 'https:', 'mailto:']);
const MAIL = /^[^\s:/@]+@[^\s:/@]+$/;
const WEB = /^www\./i;

/** Undefined for an address that nothing may open, such as a script: it is shown as text. */
export function openableAddress(written: string): string | undefined {
  const address = whole(written.trim());
  const url = URL.parse(address);
  return url !== null && OPENABLE.has(url.protocol) ? url.href : undefined;
}

function whole(address: string): string {
  if (WEB.test(address)) return `https://${address}`;
  return MAIL.test(address) ? `mailto:${address}` : address;
}

export const isOutside = (path: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(path.trim());

export function openAddress(address: string): void {
  window.open(address, '_blank', 'noopener,noreferrer');
}
