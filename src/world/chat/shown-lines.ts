import type { EntityName } from '../records/index.ts';
import { type EntityLines, keyOf } from './entity-lines.ts';

interface Shown {
  entity: EntityLines;
  numbers: Set<number>;
  /** A line was too long to be shown whole. */
  isCut: boolean;
}

/** Something to read on the line. */
const HAS_TEXT = /[\p{L}\p{N}]/u;

/** The lines of files that a model has been shown in one answer: only these can bear out what it cites. */
export function createShownLines() {
  const shown = new Map<string, Shown>();

  return {
    /** Lines of an older version are forgotten. */
    add(entity: EntityLines, line: number, { isCut }: { isCut: boolean }): void {
      const known = shown.get(keyOf(entity));
      const isSame = known?.entity.version === entity.version;
      const kept = isSame ? known : { entity, numbers: new Set<number>(), isCut: false };
      kept.numbers.add(line);
      kept.isCut ||= isCut;
      shown.set(keyOf(entity), kept);
    },
    /** The lines' text; undefined if any was not shown, or if there is nothing to read on them. */
    quote(key: string, line: number, endLine: number): { entity: EntityLines; text: string } | undefined {
      const known = shown.get(key);
      if (known === undefined) return undefined;
      const { entity, numbers } = known;
      for (let number = line; number <= endLine; number += 1) if (!numbers.has(number)) return undefined;
      const text = entity.lines
        .slice(line - 1, endLine)
        .join('\n')
        .replaceAll('\r', '');
      return HAS_TEXT.test(text) ? { entity, text } : undefined;
    },
    /** The version that was shown, and whether all of its lines were. */
    read(name: EntityName): { version: number; isWhole: boolean } | undefined {
      const known = shown.get(keyOf(name));
      if (known === undefined) return undefined;
      const { version, lines } = known.entity;
      return { version, isWhole: !known.isCut && known.numbers.size >= lines.length };
    },
    entities: (): EntityLines[] => [...shown.values()].map(({ entity }) => entity),
  };
}

export type ShownLines = ReturnType<typeof createShownLines>;
