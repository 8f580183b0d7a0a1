import type { ComparedContent } from '../../content/compare.ts';
import {
  createDocument,
  DocumentError,
  editDocument,
  readDocument,
} from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { invalid } from '../../kit/errors.ts';
import { contentOfText } from '../conflict-records/index.ts';
import { contentOf, loadVersion, type VersionInfo } from '../entities/index.ts';
import type { EntityRow, Project } from '../records/index.ts';

export interface ContentSide {
  version?: number | undefined;
  content?: string | undefined;
  name?: string | undefined;
  status?: string | undefined;
  fields?: Record<string, unknown> | undefined;
  markdown_body?: string | undefined;
}

/** `info` is set for a version. */
export interface ReadSide {
  text: string;
  content: ComparedContent;
  info: VersionInfo | null;
}

export interface SideContext {
  project: Project;
  template: TemplateDefinition;
  /** The entity of the versions; null if none is named. */
  row: EntityRow | null;
  /** The text that given fields change; it provides everything else, such as metadata. */
  base: string | null;
}

/** Reads one side. 422 if it is none of the three kinds or not a valid document; 404 for a version that is not kept. */
export async function readSide(context: SideContext, name: string, side: ContentSide): Promise<ReadSide> {
  const { project, template, row } = context;
  requireOneKind(name, side);
  if (side.version === undefined) {
    const text = side.content ?? textOfFields(context, name, side);
    return { text, content: contentOfText(template, text), info: null };
  }
  if (row === null) throw refused(name, 'names a version: entity_id must say of which entity');
  const version = await loadVersion(project, row, side.version);
  return { text: version.text, content: contentOf(template, row, version), info: version.info };
}

const refused = (name: string, message: string) =>
  invalid(`${name} ${message}`, { code: 'invalid_side', errors: [{ field: name, message }] });

function requireOneKind(name: string, { version, content, ...rest }: ContentSide): void {
  const hasFields = Object.values(rest).some((value) => value !== undefined);
  const kinds = [version !== undefined, content !== undefined, hasFields].filter(Boolean).length;
  if (kinds !== 1) throw refused(name, 'must have either version, or content, or fields and markdown_body');
}

function textOfFields({ template, base }: SideContext, name: string, side: ContentSide): string {
  const { fields = {}, markdown_body: body } = side;
  const attributes = {
    ...(side.name !== undefined && { name: side.name }),
    ...(side.status !== undefined && { status: side.status }),
  };
  try {
    if (base === null || !readDocument(base).ok)
      return createDocument({ ...attributes, ...fields }, body ?? '');
    const gone = Object.keys(contentOfText(template, base).fields).filter(
      (key) => !Object.hasOwn(fields, key),
    );
    return editDocument(base, {
      set: { ...attributes, ...fields },
      unset: side.fields === undefined ? [] : gone,
      ...(body !== undefined && { body }),
    });
  } catch (error) {
    if (error instanceof DocumentError) throw refused(name, `cannot be a file: ${error.problem.reason}`);
    throw error;
  }
}
