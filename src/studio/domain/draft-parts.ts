import { bodyOf, type Draft } from './drafts/draft.ts';
import { BODY, formPath } from './field-path.ts';

/** A part of an entity as a draft has it. */
export interface DraftPart {
  /** Dotted, as templates and findings name it; `markdown_body` for the text. */
  path: string;
  value: unknown;
}

/** The parts that a draft changes, the text last. */
export function partsOf(draft: Draft): DraftPart[] {
  const fields = Object.entries(draft.changes).map(([path, value]) => ({
    path: formPath(path) ?? path,
    value,
  }));
  return draft.body === null ? fields : [...fields, { path: BODY, value: bodyOf(draft) }];
}
