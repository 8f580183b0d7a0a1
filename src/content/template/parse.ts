import type { JsonMap } from '../../text/json.ts';
import { readDocument } from '../frontmatter/index.ts';
import { metadataProblems } from './check-metadata.ts';
import { mistypedMetadata, nameProblems } from './check-names.ts';
import { RESERVED_TYPES } from './metadata.ts';
import { isTypeName, templateFileName, templateTypeOfName, titleOf } from './names.ts';
import { isPlaceholder } from './placeholder.ts';
import { readFields } from './read-fields.ts';
import {
  readCategory,
  readLayout,
  readMetadata,
  sourceOf,
  textOf,
  textOrLines,
  versionText,
} from './read-metadata.ts';
import type {
  LineOf,
  ParsedTemplate,
  TemplateDefinition,
  TemplateProblem,
  TemplateRefusal,
} from './types.ts';

const DEFAULT_VERSION = '2.0';

/** Spec 1 §2.2. An unusable template is a problem with its place; lesser ones are in the definition's `problems`. */
export function parseTemplate(input: { path: string; text: string }): ParsedTemplate {
  const read = readDocument(input.text);
  if (!read.ok) {
    const { reason, line, column } = read.problem;
    return { ok: false, problem: { code: 'unreadable', reason, line, column } };
  }
  const { data, body, lineOf } = read;
  const refusal = refusalOf(input.path, data);
  if (refusal !== undefined) {
    return { ok: false, problem: { ...refusal, line: lineOf(['entity_type']) ?? 1, column: 1 } };
  }
  return { ok: true, template: defineTemplate(input.path, data, body, lineOf) };
}

function refusalOf(path: string, data: JsonMap): { code: TemplateRefusal; reason: string } | undefined {
  const type = data.entity_type;
  const file = path.slice(path.lastIndexOf('/') + 1);
  if (type === undefined || type === null || type === '') {
    return {
      code: 'no_entity_type',
      reason: `entity_type is missing; ${file} should say which type it defines`,
    };
  }
  if (typeof type !== 'string' || !isTypeName(type)) {
    const reason = `entity_type ${JSON.stringify(type)} must be lower-case letters, digits and underscores, such as style_bible`;
    return { code: 'invalid_type', reason };
  }
  if (RESERVED_TYPES.has(type)) {
    return { code: 'reserved_type', reason: `entity_type "${type}" is reserved for a route; choose another` };
  }
  if (templateTypeOfName(file) !== type) {
    const reason = `entity_type "${type}" does not match the file's name ${file}; expected ${templateFileName(type)}`;
    return { code: 'entity_type_mismatch', reason };
  }
  return undefined;
}

function defineTemplate(path: string, data: JsonMap, body: string, lineOf: LineOf): TemplateDefinition {
  const problems: TemplateProblem[] = [];
  const type = textOf(data.entity_type);
  const fields = readFields(data, lineOf, problems);
  const metadata = readMetadata(data, new Set(fields.map((field) => field.name)));
  problems.push(
    ...metadataProblems(metadata, lineOf),
    ...nameProblems(data, fields, lineOf),
    ...mistypedMetadata(data, fields, lineOf),
  );
  const icon = textOf(data.ui_icon);
  const colour = textOf(data.ui_color);
  return {
    entity_type: type,
    label: textOf(metadata.label) || titleOf(type),
    description: textOf(metadata.description),
    template_category: readCategory(data, lineOf, problems),
    template_version: versionText(data.template_version) || DEFAULT_VERSION,
    source: sourceOf(path),
    path,
    ...readLayout(type, data, lineOf, problems),
    ...(icon === '' ? {} : { ui_icon: icon }),
    ...(colour === '' ? {} : { ui_color: colour }),
    generation_instructions: textOrLines(data.generation_instructions),
    status: textOf(data.status) === '' || isPlaceholder(data.status) ? 'active' : textOf(data.status),
    fields,
    body,
    skeleton: typeof data.markdown_skeleton === 'string' ? data.markdown_skeleton : body,
    metadata,
    problems,
    rules: [],
  };
}
