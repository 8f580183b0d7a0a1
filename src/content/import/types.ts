/** A text that is imported: a file, or what somebody pasted. */
export interface SourceText {
  /** With `/`; folders in it may name the type of what lies in them. '' for pasted text. */
  path: string;
  text: string;
}

export type ImportFormat = 'markdown' | 'csv' | 'json';

/** From this confidence on a guess is written like a fact; below, it is proposed and the value stays. */
export const SURE = 0.8;

/** A guess that is left to people. */
export interface Proposal {
  /** The field or the type that may be meant. */
  to: string;
  /** 0 to 1. */
  confidence: number;
  reason: string;
}

/** Something that was not taken in, where it stands, and why. */
export interface Refusal {
  place: string;
  reason: string;
  /** The refused value, if it was one. */
  value?: unknown;
  /** The property of the note that it is. */
  property?: string;
  /** The type that it may be of. */
  proposed?: Proposal;
}

/** One entity to be, as its source says it: nothing is interpreted yet. */
export interface Note {
  path: string;
  /** For people: `people.csv:12`, `world.json: cast.mira`. */
  place: string;
  /** The file's name without its extension, by which links of other notes name it; null where many notes share a file. */
  title: string | null;
  /** Names of its containers, nearest first: folders, a JSON key, a table's file name. Each may name its type. */
  groups: string[];
  properties: Record<string, unknown>;
  /** The `#tags` of the text, each once, without `#`. */
  tags: string[];
  body: string;
  /** Line of the source at which the body begins, from 1. */
  bodyLine: number;
  /** The whole text of a markdown file with frontmatter, so that what need not change can stay as it is; else null. */
  text: string | null;
  refused: Refusal[];
}

/** A reader yields notes and refusals, one after the other. */
export type ReadItem = { note: Note } | { refused: Refusal };

export interface Mapping {
  /** The property's name in the source. */
  from: string;
  /** The field, or `name`, `status`, `primary_asset`, `markdown_body`. */
  to: string;
  /** 0 to 1. */
  confidence: number;
  reason: string;
  /** The key under which the value as it stood is kept too, where the field does not hold all of it. */
  original_kept_as?: string;
}

export interface KeptAside {
  from: string;
  /** The key of the file under which the value is kept as it was. */
  to: string;
  reason: string;
  /** The field that it may be, where that is no more than a guess. */
  proposed?: Proposal;
}

export interface LinkReport {
  /** Line in the source, from 1; null for a link in a property. */
  line: number | null;
  text: string;
  reason: string;
}

/** The result for one note: each of its properties is in exactly one of kept, mapped, kept_aside and refused. */
export interface LossReport {
  /** Names of properties that are fields as they stand. */
  kept: string[];
  mapped: Mapping[];
  kept_aside: KeptAside[];
  refused: Refusal[];
  links: { resolved: number; unresolved: LinkReport[] };
  attachments: { from: string; to: string }[];
}
