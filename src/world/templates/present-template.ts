import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import {
  isTypeName,
  type TemplateDefinition,
  templateFileName,
  templateTypeOfName,
} from '../../content/template/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import type { Project } from '../records/index.ts';
import { readTemplateText, type TemplateFile, type TemplateFileProblem } from './template-files.ts';
import type { TemplateSet } from './template-set.ts';

/** A template's file as it is on disk now. */
export interface PresentTemplate {
  entityType: string;
  path: string;
  bytes: Uint8Array;
  checksum: string;
  /** With U+FFFD where bytes are not UTF-8. */
  text: string;
  /** What the text says, or why it is no template. */
  read: { file: TemplateFile } | { problem: TemplateFileProblem };
  /** Whether the bytes are text at all. */
  isText: boolean;
  /** What is in force, also while the file is broken. */
  definition: TemplateDefinition | null;
}

const fileNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Where a type's template lies, or null; a broken file that never was in force counts. */
function pathOf(set: TemplateSet, entityType: string): string | null {
  const inForce = set.types.get(entityType)?.path;
  if (inForce) return inForce;
  const broken = set.problems.find(
    ({ path }) => path.endsWith('.md') && templateTypeOfName(fileNameOf(path)) === entityType,
  );
  return broken?.path ?? null;
}

/** Where a new type's template is put. */
export const customPath = (entityType: string): string => `_Templates/Custom/${templateFileName(entityType)}`;

/** Reads the file behind a type; null when there is none. */
export async function readPresent(
  project: Project,
  set: TemplateSet,
  entityType: string,
): Promise<PresentTemplate | null> {
  const path = pathOf(set, entityType) ?? (isTypeName(entityType) ? customPath(entityType) : null);
  if (path === null || (await project.files.stat(path)) === undefined) return null;
  const bytes = await project.files.read(path);
  const checksum = checksumOf(bytes);
  const decoded = decodeUtf8(bytes);
  const read = decoded.ok
    ? readTemplateText(path, decoded.text, checksum)
    : { problem: { path, severity: 'error' as const, ...decoded.problem } };
  return {
    entityType,
    path,
    bytes,
    checksum,
    text: decoded.ok ? decoded.text : new TextDecoder().decode(bytes),
    read,
    isText: decoded.ok,
    definition: set.types.get(entityType) ?? null,
  };
}
