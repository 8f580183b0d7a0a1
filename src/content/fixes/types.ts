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

/** Knowledge of a project's other entities. */
export interface KnownEntities {
  hasType(type: string): boolean;
  exists(type: string, id: string): boolean;
  /** Ids of a type's entities whose id or name is this word but for case, accents and what stands between words. */
  meant(type: string, word: string): readonly string[];
}

export interface FixOptions {
  /** The kinds to fix; null: all that are safe. */
  kinds: ReadonlySet<FixKind> | null;
  /** Take out references to entities that there are not. */
  removeDangling: boolean;
  /** The project counts days by the real calendar, so that a date may be rewritten. */
  hasRealCalendar: boolean;
  /** The fixes are only shown: remaining findings have their present lines instead of those after the fixes. */
  isPreview: boolean;
  known: KnownEntities;
}

/** One value in a valid form, with the same meaning as before or with the template's default. */
export interface Fix {
  /** Dotted path. */
  field: string;
  kind: FixKind;
  /** Null where the file had nothing. */
  before: unknown;
  /** Null where the value is taken out. */
  after: unknown;
  /** Of the field before the fix, from 1; null where the file had no such line. */
  line: number | null;
  reason: string;
}

/** Something wrong that only a person can mend. `kind` is null where no kind of fix is about it. */
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

/** The input of each kind of fix. */
export interface Subject {
  template: TemplateDefinition;
  document: ReadDocument;
  content: EntityContent;
  folderId: string;
  options: FixOptions;
}

/** A change of one place, or why none is safe there. `remove` takes an entry out of its list. */
export type Proposal = { kind: FixKind; path: Path; reason: string } & (
  | { action: 'set'; value: unknown }
  | { action: 'remove' }
  | { action: 'refuse' }
);
