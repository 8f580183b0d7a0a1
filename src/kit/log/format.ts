import { isoTime } from '../clock.ts';
import type { LogLevel } from '../log.ts';
import { LEVEL_WORDS } from './levels.ts';

const LONGEST_MESSAGE = 8_000;

const SECRET_PATTERNS: readonly RegExp[] = [
  /(\bauthorization["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',]+/gi,
  /(\bbearer\s+)[\w.~+/-]{16,}=*/gi,
  /(\b(?:\w*(?:token|password|secret|api_?key|ticket)|signature|sig)=)[^\s&"',;]+/gi,
  /("(?:\w*(?:token|password|secret|api_?key|ticket))"\s*:\s*")[^"]*/gi,
  /(:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g,
  /()\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  // Keys, invitations and all other tokens that the service issues.
  /\b(cnr[a-z]?_)[\w.-]{16,}/g,
];

/** Masks whatever looks like a credential. */
const maskSecrets = (text: string): string =>
  SECRET_PATTERNS.reduce((masked, pattern) => masked.replace(pattern, '$1***'), text);

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escapeOne = (character: string): string =>
  SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Makes control and direction characters visible, so that one message is one line and cannot imitate another. */
const escapeControls = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, escapeOne);

let second = -1;
let stamp = '';

/** `YYYY-MM-DD HH:MM:SS`, UTC; formatted once a second. */
function stampOf(milliseconds: number): string {
  const now = Math.floor(milliseconds / 1000);
  if (now !== second) {
    second = now;
    stamp = isoTime(milliseconds).slice(0, 19).replace('T', ' ');
  }
  return stamp;
}

/** Spec 1 §4.11. */
export function formatLine(milliseconds: number, level: LogLevel, source: string, message: string): string {
  const cut = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)} …` : message;
  return `${stampOf(milliseconds)} | ${LEVEL_WORDS[level]} | ${source} | ${escapeControls(maskSecrets(cut))}\n`;
}
