import { cutWithin } from '../../text/cut.ts';
import { fileTextOf } from '../texts/index.ts';
import type { NearPassage } from './nearest.service.ts';

const MOST_SHOWN = 400;

export interface FoundPassage {
  text: string;
  /** Counted from 1 in the entity's file. */
  line_from: number;
  line_to: number;
}

export interface FoundEntity {
  row_id: number;
  entity_type: string;
  entity_id: string;
  name: string;
  /** 1 for the same meaning, around 0 for none in common. */
  score: number;
  /** The best passage; null if the entity was changed since it was read. */
  passage: FoundPassage | null;
}

const roundedScore = (score: number): number => Math.round(score * 10_000) / 10_000;

/** The whole text of the passage, as it stands in the file. */
export const textAt = (row: NearPassage): string | null =>
  row.version === row.present_version ? fileTextOf(row).slice(row.start_offset, row.end_offset) : null;

function shownPassage(row: NearPassage): FoundPassage | null {
  const text = textAt(row);
  if (text === null) return null;
  const { line_from, line_to } = row;
  return { text: cutWithin(text.trim(), MOST_SHOWN), line_from, line_to };
}

export const foundEntity = (row: NearPassage): FoundEntity => ({
  row_id: row.row_id,
  entity_type: row.entity_type,
  entity_id: row.entity_id,
  name: row.name,
  score: roundedScore(row.score),
  passage: shownPassage(row),
});

/** The best passage of each entity, best first. */
export function bestOfEach(rows: readonly NearPassage[], limit: number): FoundEntity[] {
  const best = new Map<number, NearPassage>();
  for (const row of rows) if (!best.has(row.row_id)) best.set(row.row_id, row);
  return [...best.values()].slice(0, limit).map(foundEntity);
}
