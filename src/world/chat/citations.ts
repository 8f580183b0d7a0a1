import type { ChatAnswer } from './chat.contract.ts';
import { type EntityLines, urlOf } from './entity-lines.ts';
import type { ShownLines } from './shown-lines.ts';

export type Citation = ChatAnswer['citations'][number];

/** Lines of a file that were read. */
export const citationOf = (
  entity: EntityLines,
  { line, end_line, text }: { line: number; end_line: number; text: string },
): Citation => ({
  entity_type: entity.entity_type,
  entity_id: entity.entity_id,
  name: entity.name,
  line,
  end_line,
  quote: text,
  url: urlOf(entity),
  verified: true,
});

/** As answers cite: `[character/mira_vale:12]`, or `[character/mira_vale:12-14]`. */
export const markerOf = ({ key, line, end_line }: { key: string; line: number; end_line: number }): string =>
  `[${key}:${line}${end_line > line ? `-${end_line}` : ''}]`;

const ONE = /^\s*([^\s/:;,[\]]{1,64})\/([^/:;,[\]]{1,200}):\s*L?(\d{1,7})(?:\s*[-–]\s*L?(\d{1,7}))?\s*$/;
/** The end of a piece that may still become a marker. */
const OPEN = /\[[^[\]\n]{0,400}$/;
const BRACKETS = /\[([^[\]\n]{1,400})\]/g;

/** Lines that one citation may span. */
const MOST_LINES = 50;
const MOST_CITATIONS = 200;

/**
 * Checks what a streamed answer cites. `push` returns the text that may be shown, in which a citation that nothing bears out is marked;
 * a marker that has only begun is held back until it is complete.
 */
export function createCitations(shown: ShownLines) {
  const known = new Map<string, Citation>();
  let held = '';

  function cite(part: string): { marker: string; citation: Citation } | null {
    const [, type, id, first, last] = ONE.exec(part) ?? [];
    if (type === undefined || id === undefined) return null;
    const key = `${type}/${id.trim()}`;
    const line = Number(first);
    const end_line = Math.max(line, Number(last ?? first));
    const quoted = end_line - line < MOST_LINES ? shown.quote(key, line, end_line) : undefined;
    const marker = markerOf({ key, line, end_line });
    if (quoted !== undefined)
      return { marker, citation: citationOf(quoted.entity, { line, end_line, text: quoted.text }) };
    const claimed = { entity_type: type, entity_id: id.trim(), line, end_line };
    return {
      marker: `${marker.slice(0, -1)}, unverified]`,
      citation: { ...claimed, name: null, quote: null, url: null, verified: false },
    };
  }

  /** Brackets with anything else in them stay as they are. */
  function checked(whole: string, inside: string): string {
    const cited = inside.split(/[,;]/).map(cite);
    if (!cited.every((each) => each !== null)) return whole;
    for (const { marker, citation } of cited) if (known.size < MOST_CITATIONS) known.set(marker, citation);
    return cited.map(({ marker }) => marker).join(' ');
  }

  const check = (text: string): string => text.replaceAll(BRACKETS, checked);

  return {
    push(text: string): string {
      const all = held + text;
      const at = OPEN.exec(all)?.index ?? all.length;
      held = all.slice(at);
      return check(all.slice(0, at));
    },
    /** The text that was held back. */
    rest(): string {
      const text = held;
      held = '';
      return check(text);
    },
    /** Each once, in the order of the answer. */
    list: (): Citation[] => [...known.values()],
  };
}

export type Citations = ReturnType<typeof createCitations>;
