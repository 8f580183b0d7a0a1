import { DocumentError, decodeUtf8 } from '../../content/frontmatter/index.ts';
import {
  type AskedIdentity,
  type ExistingMode,
  intoFileOf,
  newFileOf,
  reportOfStanding,
  type StandingText,
  standingText,
} from '../../content/import/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { conflict, invalid } from '../../kit/errors.ts';
import type { Step } from '../changesets/index.ts';
import type { Project } from '../records/index.ts';
import type { PlannedNote } from './plan-notes.ts';

export interface TextImport extends AskedIdentity {
  /** Markdown, with frontmatter or without. */
  content: string;
  /** The treatment of an existing entity; undefined refuses it. */
  mode: ExistingMode | undefined;
}

interface World {
  project: Project;
  template: TemplateDefinition;
  /** The file of the entity with this id; undefined if there is none. */
  pathOf(entityId: string): Promise<string | undefined>;
  today: string;
}

/**
 * Plans the import of a text as it is. 409 for an existing entity without a mode, 422 for a text that is unreadable, of another
 * type, or without a name.
 */
export async function planText(
  world: World,
  input: TextImport,
): Promise<{ note: PlannedNote; steps: Step[] }> {
  const { template, project, today } = world;
  const { mode } = input;
  const standing = orUnreadable('the text', () => standingText(input.content, input));
  if (standing === undefined)
    throw invalid(
      'Nothing says what the entity is called: send `entity_id` or `name`, or put one into the text',
      {
        code: 'no_name',
      },
    );
  requireType(template, standing);
  const { entity_id, name } = standing;
  const entity = { entity_type: template.entity_type, entity_id };
  const note: PlannedNote = {
    place: 'the text',
    action: 'create',
    reason: null,
    name,
    type_confidence: 1,
    type_reason: 'asked for',
    wanted_id: null,
    ...entity,
    ...reportOfStanding(standing),
  };
  const path = await world.pathOf(entity_id);
  if (path === undefined) {
    const text = orUnreadable('the text', () => newFileOf(template, standing, input, today));
    return { note, steps: [{ kind: 'create', ...entity, text }] };
  }
  if (mode === undefined)
    throw conflict(
      `${template.entity_type} '${entity_id}' already exists: send mode "merge" to add to it or "replace" to overwrite it`,
      { code: 'entity_exists' },
    );
  const decoded = decodeUtf8(await project.files.read(path));
  const made = orUnreadable(path, () => {
    if (!decoded.ok) throw new DocumentError(decoded.problem);
    return intoFileOf(template, decoded.text, standing, { mode, asked: input, today });
  });
  const base = decoded.ok ? decoded.text : '';
  return {
    note: { ...note, action: mode, refused: made.refused },
    steps: made.text === base ? [] : [{ kind: 'write', ...entity, base, text: made.text }],
  };
}

function requireType({ entity_type }: TemplateDefinition, { said_type }: StandingText): void {
  if (said_type === null || said_type === entity_type) return;
  throw invalid(
    `The text says entity_type ${JSON.stringify(said_type)}, and this would make it ${JSON.stringify(entity_type)}: import it under its own type, or change that line`,
    { code: 'entity_type_mismatch' },
  );
}

function orUnreadable<Result>(place: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const { line, column, reason } = error.problem;
    throw invalid(`${place}:${line}:${column}: it cannot be read: ${reason}`, { code: 'unreadable_source' });
  }
}
