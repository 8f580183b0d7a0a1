/** `field`: the value of a field with a `reference_type`; `link`: `[[…]]` within text. */
export type ReferenceKind = 'field' | 'link';

/** An edge from the field that holds the reference. */
export interface Reference {
  /** Dotted, without list indexes (`stages.location`), or `markdown_body`. */
  field: string;
  kind: ReferenceKind;
  /** Null for an untyped link, which means the one entity of that id over all types. */
  to_type: string | null;
  /** As written; the entity need not exist. */
  to_id: string;
}

export interface ReferencePlace extends Reference {
  /** Path of the string that holds it; null: the body. */
  path: readonly (string | number)[] | null;
  /** The id's offset in that string. */
  start: number;
  end: number;
}

/** Own values only, without the template's defaults. */
export interface ReferringContent {
  own_fields: Readonly<Record<string, unknown>>;
  markdown_body: string;
}
