import { readName } from '../entity/index.ts';
import { type ReadDocument, readDocument } from '../frontmatter/index.ts';
import { bodyPieces, fieldPieces, type Piece } from './pieces.ts';

/** A stretch of a file that is about one thing. */
export interface Passage {
  /** For comparing meanings: plain words, with the entity's name where it would be missing. */
  text: string;
  /** Offsets in the file's text. */
  start: number;
  end: number;
  /** Counted from 1 in the file. */
  lineFrom: number;
  lineTo: number;
}

/** Small models see about as much of a text. */
const LENGTH = 400;
/** The rest of a longer file is not compared. */
const MOST_PASSAGES = 500;

const joined = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join(' ');

function endsPassage(current: readonly Piece[], next: Piece): boolean {
  if (current.length === 0) return false;
  const length = joined(current).length;
  if (next.border === 'hard' || length + next.text.length > LENGTH) return true;
  return next.border === 'soft' && length * 2 > LENGTH;
}

function* grouped(pieces: Iterable<Piece>): Generator<Piece[]> {
  let current: Piece[] = [];
  for (const piece of pieces) {
    if (endsPassage(current, piece)) {
      yield current;
      current = [];
    }
    current.push(piece);
  }
  if (current.length > 0) yield current;
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', feed + 1)) starts.push(feed + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function passageOf(group: readonly Piece[], lineAt: (offset: number) => number): Passage {
  const start = Math.min(...group.map((piece) => piece.start));
  const end = Math.max(...group.map((piece) => piece.end));
  return {
    text: joined(group),
    start,
    end,
    lineFrom: lineAt(start),
    lineTo: lineAt(Math.max(start, end - 1)),
  };
}

function* allOf(text: string, document: ReadDocument): Generator<Passage> {
  const name = readName(document.data)?.name ?? '';
  const lineAt = lineFinder(text);
  const fields = [...grouped(fieldPieces(document, LENGTH))];
  if (fields.length === 0 && name !== '') yield { text: name, start: 0, end: 0, lineFrom: 1, lineTo: 1 };
  for (const group of fields) {
    const passage = passageOf(group, lineAt);
    yield { ...passage, text: `${name}. ${passage.text}` };
  }
  for (const group of grouped(bodyPieces(document, LENGTH))) yield passageOf(group, lineAt);
}

/** Fields first, then the body, in the file's order. None for a file that cannot be read. */
export function passagesOf(text: string): Passage[] {
  const document = readDocument(text);
  if (!document.ok) return [];
  return [...allOf(text, document).take(MOST_PASSAGES)];
}

/** A text that is no file, such as a selection, in parts of the same length. */
export function passagesOfText(text: string): string[] {
  const document = { head: '', body: text };
  return [...grouped(bodyPieces(document, LENGTH))].map(joined).slice(0, MOST_PASSAGES);
}
