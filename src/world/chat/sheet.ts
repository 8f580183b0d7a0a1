import { cutWithin } from '../../text/cut.ts';
import { type EntityLines, keyOf } from './entity-lines.ts';
import { LIMITS } from './limits.ts';
import type { ShownLines } from './shown-lines.ts';

/** Characters that could pass for the end of a line, or cannot be seen. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const oneLine = (text: string): string => cutWithin(text.replaceAll(CONTROL, ' ').trimEnd(), LIMITS.line);

/**
 * A text for a model, of at most `room` characters. Every line that the project's people may have written begins with `|`, or with its
 * number in the file and `|`: no text can leave that fence, since nothing in it can end a line.
 */
export function createSheet(shown: ShownLines, room: number) {
  const written: string[] = [];
  let left = room;

  /** False, and nothing is written, if it does not fit. */
  function write(line: string): boolean {
    if (line.length + 1 > left) return false;
    left -= line.length + 1;
    written.push(line);
    return true;
  }

  return {
    /** A line of ours, without anything from the project. */
    say: write,
    /** A line with names and ids of the project. */
    data: (text: string): boolean => write(`| ${oneLine(text)}`),
    /** Lines of a file. Returns the first line that did not fit, or null. */
    lines(entity: EntityLines, from: number, to: number): number | null {
      const end = Math.min(to, entity.lines.length);
      for (let number = from; number <= end; number += 1) {
        const line = entity.lines[number - 1] ?? '';
        if (!write(`${number}| ${oneLine(line)}`)) return number;
        shown.add(entity, number, { isCut: line.length > LIMITS.line });
      }
      return null;
    },
    text: (): string => written.join('\n'),
  };
}

export type Sheet = ReturnType<typeof createSheet>;

export const titleOf = (entity: EntityLines): string =>
  `${keyOf(entity)} ${JSON.stringify(entity.name)}, version ${entity.version}, ${entity.lines.length} lines`;
