import type { EntityContent } from '../entity/index.ts';
import type { ReadDocument } from '../frontmatter/index.ts';
import type { TemplateDefinition } from '../template/index.ts';

export const FIX_KINDS = [
  'missing_default',
  'type',
  'list',
  'option',
  'date',
  'id',
  'status',
  'reference',
  'dangling_reference',
] as const;
export type FixKind = (typeof FIX_KINDS)[number];

/** Keys and list places from the frontmatter's top. */
export type Path = readonly (string | number)[];

export interface KnownEntities {
  hasType(type: string): boolean;
  exists(type: string, id: string): boolean;
  /** Ids whose id or name equals the word but for case, accents and separators. */
  meant(type: string, word: string): readonly string[];
}

export interface FixOptions {
  /** Null: all that are safe. */
  kinds: ReadonlySet<FixKind> | null;
  removeDangling: boolean;
  /** So a date may be rewritten. */
  hasRealCalendar: boolean;
  /** Nothing is written: remaining findings have their present lines. */
  isPreview: boolean;
  known: KnownEntities;
}

/** With the same meaning as before, or the template's default. */
export interface Fix {
  /** Dotted. */
  field: string;
  kind: FixKind;
  /** Null if the file had nothing. */
  before: unknown;
  /** Null if the value is removed. */
  after: unknown;
  /** Of the field before the fix, from 1; null without a line. */
  line: number | null;
  reason: string;
}

/** Only a person can fix it. `kind` is null if no kind of fix is about it. */
export interface Unfixable {
  /** Dotted path; null: the file as a whole. */
  field: string | null;
  kind: FixKind | null;
  value: unknown;
  line: number | null;
  reason: string;
}

export interface Fixed {
  text: string;
  fixes: Fix[];
  unfixable: Unfixable[];
}

export interface Subject {
  template: TemplateDefinition;
  document: ReadDocument;
  content: EntityContent;
  folderId: string;
  options: FixOptions;
}

/** Or why no change is safe there. `remove` takes an entry out of its list. */
export type Proposal = { kind: FixKind; path: Path; reason: string } & (
  | { action: 'set'; value: unknown }
  | { action: 'remove' }
  | { action: 'refuse' }
);
