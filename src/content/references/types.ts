/** `field`: the value of a field with a `reference_type`; `link`: `[[…]]` within text. */
export type ReferenceKind = 'field' | 'link';

/** One typed edge: what an entity's file refers to, and where it says so. */
export interface Reference {
  /** Dotted path of the field without places in lists (`stages.location`), or `markdown_body`. */
  field: string;
  kind: ReferenceKind;
  /** Null for an untyped link, which means the one entity of that id over all types. */
  to_type: string | null;
  /** As the file writes it; whether such an entity exists is not known here. */
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

/** What of an entity's content holds references: what its file says, without the template's defaults. */
export interface ReferringContent {
  own_fields: Readonly<Record<string, unknown>>;
  markdown_body: string;
}
