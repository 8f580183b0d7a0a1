import {
  addTarget,
  createAttachments,
  createIdentifier,
  createTargets,
  createTypeChoices,
  type Draft,
  draftOf,
  formatOfPath,
  type Identified,
  importedText,
  type Refusal,
  readSource,
  type UntypedNote,
} from '../../src/content/import/index.ts';
import { starterTemplates } from './starter-templates.ts';

export interface DraftedNote {
  identified: Identified;
  draft: Draft;
  text: string;
  refused: Refusal[];
}

export interface DraftedNotes {
  notes: DraftedNote[];
  refused: Refusal[];
  untyped: UntypedNote[];
}

/** The pure part of an import. Paths without a text format are attachments. */
export function draftNotes(
  files: Readonly<Record<string, string>>,
  options: {
    entityType?: string;
    types?: Record<string, string | null>;
    mapping?: Record<string, string | null>;
    existing?: [string, string, string][];
  } = {},
): DraftedNotes {
  const { entityType, existing = [] } = options;
  const mapping = new Map(Object.entries(options.mapping ?? {}));
  const choices = createTypeChoices(new Map(Object.entries(options.types ?? {})));
  const identify = createIdentifier({ templates: starterTemplates(), entityType, choices, mapping });
  const targets = createTargets();
  for (const [entity_type, entity_id, name] of existing)
    targets.add({ entity_type, entity_id }, [entity_id, name]);
  const attachments = createAttachments(Object.keys(files).filter((path) => formatOfPath(path) === null));
  const refused: Refusal[] = [];
  const untyped: UntypedNote[] = [];
  const all: Identified[] = [];
  for (const [path, text] of Object.entries(files)) {
    const format = formatOfPath(path);
    if (format === null) continue;
    for (const item of readSource({ path, text }, format)) {
      const identified = 'note' in item ? identify(item.note) : item;
      if ('note' in identified) all.push(identified);
      else if (identified.refused) refused.push(identified.refused);
      if ('untyped' in identified && identified.untyped) untyped.push(identified.untyped);
    }
  }
  for (const each of all) addTarget(targets, each);
  const notes = all.map((identified) => {
    const draft = draftOf(identified, { targets, attachments, mapping });
    const made = importedText(identified.template, draft, identified.note, '2026-11-21');
    return { identified, draft, text: made.text, refused: made.refused };
  });
  return { notes, refused, untyped };
}
