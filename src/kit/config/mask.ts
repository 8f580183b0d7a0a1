import type { Secrecy } from './variable.ts';

export function mask(secrecy: Secrecy, text: string | null): string {
  if (text === null || secrecy === 'none') return text ?? '';
  if (secrecy === 'whole') return '***';
  return text
    .replace(/^([a-z]+:\/\/[^/@:]*:).*@/i, '$1***@')
    .replace(/([?&](?:password|sslpassword)=)[^&]*/gi, '$1***');
}
