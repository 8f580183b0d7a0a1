import { MANIFEST_LIMITS } from './limits.ts';

/** `%` because an address would decode it, the others because file systems give them a meaning. */
const FORBIDDEN = /[\\:*?"<>|#%\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const LONGEST_PART = 255;

/** Null if the text is the path of a file below a folder, on every system and in an address. */
export function pathFault(text: string): string | null {
  if (text === '') return 'it is empty';
  if (text.length > MANIFEST_LIMITS.path) return `it has more than ${MANIFEST_LIMITS.path} characters`;
  if (/^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(text))
    return 'it is an address; what a plugin shows comes with the plugin';
  if (text.startsWith('/')) return "it must be relative to the plugin's folder: leave out the first /";
  if (text.includes('\\')) return 'parts of a path are separated by /, not by a backslash';
  const character = FORBIDDEN.exec(text)?.[0];
  if (character !== undefined) return `the character ${JSON.stringify(character)} may not stand in a path`;
  if (!text.isWellFormed()) return 'half of a surrogate pair is no text';
  return (
    text
      .split('/')
      .map(partFault)
      .find((fault) => fault !== null) ?? null
  );
}

function partFault(part: string): string | null {
  if (part === '') return 'it has an empty part';
  if (part === '.' || part === '..') return `it must be written without the part "${part}"`;
  if (/^\s|[\s.]$/.test(part)) return 'no part may begin with a space, or end with a space or a dot';
  return part.length > LONGEST_PART ? `one of its parts has more than ${LONGEST_PART} characters` : null;
}

export const isSafePath = (text: string): boolean => pathFault(text) === null;
