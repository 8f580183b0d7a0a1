import type { Kind, Settings } from './settings.ts';

export interface Change {
  action: 'created' | 'deleted';
  type: string;
  id: string;
  name: string;
}

export interface Batch {
  changes: readonly Change[];
  /** Changes that were too many to be kept, beside those above. */
  more: number;
}

const MOST_LINES = 8;

const TEXTS = {
  en: {
    one: { created: (what: string) => `new: ${what}`, deleted: (what: string) => `deleted: ${what}` },
    many: (count: number) => `${count} changes`,
    more: (count: number) => `… and ${count} more`,
    name: (type: string, name: string) => `${type} “${name}”`,
    test: 'Canonry can post here.',
  },
  de: {
    one: { created: (what: string) => `neu: ${what}`, deleted: (what: string) => `gelöscht: ${what}` },
    many: (count: number) => `${count} Änderungen`,
    more: (count: number) => `… und ${count} weitere`,
    name: (type: string, name: string) => `${type} „${name}“`,
    test: 'Canonry kann hier schreiben.',
  },
};

/** A name in a message must not call everybody, nor be bold. */
const ESCAPED: Readonly<Record<Kind, (text: string) => string>> = {
  slack: (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      // A zero-width space keeps marks from having an effect.
      .replace(/([*_~`])/g, '\u200b$1'),
  discord: (text) => text.replace(/([\\*_~`|>#[\]()<@:-])/g, '\\$1'),
  matrix: (text) => text.replace(/([\\*_~`#<>[\]()!|])/g, '\\$1'),
  json: (text) => text,
};

const LONGEST_NAME = 120;

function shown(name: string): string {
  const line = name.replace(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length <= LONGEST_NAME ? line : `${letters.slice(0, LONGEST_NAME - 1).join('')}…`;
}

/** The words of a message. */
export function textOf({ changes, more }: Batch, { kind, world, language }: Settings): string {
  const texts = TEXTS[language];
  const safe = (text: string) => ESCAPED[kind](shown(text));
  const prefix = world === '' ? '' : `${safe(world)}: `;
  const nameOf = ({ type, name }: Change) => texts.name(safe(type.replaceAll('_', ' ')), safe(name));
  const lineOf = (change: Change) => texts.one[change.action](nameOf(change));
  const [first] = changes;
  const count = changes.length + more;
  if (first && count === 1) return `${prefix}${lineOf(first)}`;
  const lines = changes.slice(0, MOST_LINES).map((change) => `• ${lineOf(change)}`);
  const left = count - lines.length;
  return [`${prefix}${texts.many(count)}`, ...lines, ...(left > 0 ? [texts.more(left)] : [])].join('\n');
}

export const testText = ({ kind, world, language }: Settings): string =>
  `${world === '' ? '' : `${ESCAPED[kind](shown(world))}: `}${TEXTS[language].test}`;

const NO_CHANGES: Batch = { changes: [], more: 0 };

/** The body of a request, in the form of the kind of chat. */
export function bodyFor(text: string, { kind, world }: Settings, batch: Batch = NO_CHANGES): object {
  if (kind === 'discord') return { content: text, allowed_mentions: { parse: [] } };
  if (kind === 'json') return { text, world, ...batch };
  return { text };
}
