/** A file, or pasted text. */
export interface SourceText {
  /** With `/`; its folders may name types. '' for pasted text. */
  path: string;
  text: string;
}

export type ImportFormat = 'markdown' | 'csv' | 'json';

/** From this confidence on a guess is written like a fact; below, it is only proposed. */
export const SURE = 0.8;

/** A guess that people have to decide. */
export interface Proposal {
  /** The field or type that may be meant. */
  to: string;
  /** 0 to 1. */
  confidence: number;
  reason: string;
}

/** Not imported, with place and reason. */
export interface Refusal {
  place: string;
  reason: string;
  value?: unknown;
  property?: string;
  proposed?: Proposal;
}

/** A note that a chosen type would bring in: it does not say its type, or the caller left it out. */
export interface UntypedNote {
  place: string;
  code: 'no_type' | 'left_out';
  /** Not sure enough to be taken. */
  proposed?: Proposal;
}

/** One future entity as its source states it, uninterpreted. */
export interface Note {
  path: string;
  /** Shown to users: `people.csv:12`, `world.json: cast.mira`. */
  place: string;
  /** The file's name without extension, by which links name it; null if several notes share a file. */
  title: string | null;
  /** Containers, nearest first: folders, a JSON key, a table's file name. Each may name its type. */
  groups: string[];
  properties: Record<string, unknown>;
  /** Each once, without `#`. */
  tags: string[];
  body: string;
  /** The line of the source at which the body begins, from 1. */
  bodyLine: number;
  /** The whole text of a markdown file with frontmatter, so that unaffected lines can stay; else null. */
  text: string | null;
  refused: Refusal[];
}

export type ReadItem = { note: Note } | { refused: Refusal };

export interface Mapping {
  from: string;
  /** The field, or `name`, `status`, `primary_asset`, `markdown_body`. */
  to: string;
  /** 0 to 1. */
  confidence: number;
  reason: string;
  /** The key that also keeps the original value if the field does not hold all of it. */
  original_kept_as?: string;
}

export interface KeptAside {
  from: string;
  /** The key that keeps the value as it was. */
  to: string;
  reason: string;
  /** The field that it may be, if only guessed. */
  proposed?: Proposal;
}

export interface LinkReport {
  /** In the source, from 1; null for a link in a property. */
  line: number | null;
  text: string;
  reason: string;
}

/** Each property of the note is in exactly one of kept, mapped, kept_aside and refused. */
export interface LossReport {
  /** Properties that are fields as they stand. */
  kept: string[];
  mapped: Mapping[];
  kept_aside: KeptAside[];
  refused: Refusal[];
  links: { resolved: number; unresolved: LinkReport[] };
  attachments: { from: string; to: string }[];
}
