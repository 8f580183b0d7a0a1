import { type Found, lintText } from './lint-text.ts';
import { type Level, listOf, type Settings } from './settings.ts';
import { message } from './texts.ts';

export interface Entry {
  name: string;
  fields: Readonly<Record<string, unknown>>;
  markdown_body: string;
}

export interface Finding {
  severity: Exclude<Level, 'off'>;
  field: string;
  message: string;
}

const BODY = 'markdown_body';
const NEVER_SAYS = 'never_says';
const DEEPEST = 6;
const MOST_TEXTS = 500;
/** Of one entry: a guest has little time, and one that takes too long is disabled. */
const MOST_LETTERS = 300_000;

interface Text {
  field: string;
  text: string;
  isSpeech: boolean;
}

/** The findings in the texts of an entry. Short values without a space are names and choices, and nobody's dialogue. */
export function lintEntry({ name, fields, markdown_body }: Entry, settings: Settings): Finding[] {
  const speaker = { name, neverSays: listOf(fields[NEVER_SAYS]) };
  const { [NEVER_SAYS]: _, ...others } = fields;
  const texts: Text[] = [
    { field: BODY, text: markdown_body, isSpeech: false },
    ...textsIn(others, '', settings.speechFields),
  ];
  const findings: Finding[] = [];
  let left = MOST_LETTERS;
  for (const { field, text, isSpeech } of texts.slice(0, MOST_TEXTS)) {
    const part = beginningOf(text, left);
    left -= text.length;
    for (const found of lintText(part, { settings, speaker, isSpeech }))
      findings.push(...findingOf(found, field, settings));
    if (left < 0) {
      const told = message(settings.language, 'too_long', { most: MOST_LETTERS });
      return [...findings, { severity: 'info', field, message: told }];
    }
  }
  return findings;
}

/** Whole paragraphs, if there are any, since half a speech is not closed. */
function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.lastIndexOf('\n\n', most);
  return end < 0 ? '' : text.slice(0, end);
}

function findingOf(found: Found, field: string, { levels }: Settings): Finding[] {
  const severity = levels[found.rule];
  return severity === 'off' ? [] : [{ severity, field, message: found.message }];
}

function textsIn(value: unknown, path: string, speechFields: ReadonlySet<string>, depth = 0): Text[] {
  if (depth > DEEPEST) return [];
  if (typeof value === 'string') {
    const isSpeech = speechFields.has(path.split('.')[0] ?? '');
    return isSpeech || /\s/.test(value.trim()) ? [{ field: path, text: value, isSpeech }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    textsIn(part, path === '' ? key : `${path}.${key}`, speechFields, depth + 1),
  );
}
