/** `field`: the value of a field with a `reference_type`; `link`: `[[…]]` within text. */
export type ReferenceKind = 'field' | 'link';

/** One typed edge: the target of a reference, and the field of the entity's file that holds it. */
export interface Reference {
  /** Dotted path of the field without places in lists (`stages.location`), or `markdown_body`. */
  field: string;
  kind: ReferenceKind;
  /** Null for an untyped link, which means the one entity of that id over all types. */
  to_type: string | null;
  /** As the file writes it; no such entity need exist. */
  to_id: string;
}

/** One occurrence of a reference in a file. */
export interface ReferencePlace extends Reference {
  /** Keys and list places down to the string that holds it; null: the body. */
  path: readonly (string | number)[] | null;
  /** Where the id stands in that string. */
  start: number;
  end: number;
}

/** The content of an entity that can hold references: the values of its own file, without the template's defaults. */
export interface ReferringContent {
  own_fields: Readonly<Record<string, unknown>>;
  markdown_body: string;
}
