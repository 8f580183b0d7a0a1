import { readDocument } from '../../../content/frontmatter/index.ts';
import {
  type FieldDefinition,
  outlineOf,
  type TemplateDefinition,
  templateTypeOfName,
} from '../../../content/template/index.ts';
import type { Project } from '../../records/index.ts';
import { type PresentFile, readPresent } from '../files/text-file.ts';
import type { TemplateRegistry } from '../registry/registry.ts';
import type { TemplateSet } from '../registry/template-set.ts';
import { requireType, unknownType } from './find-type.ts';
import { type TemplateFile, templateKind } from './template-kind.ts';
import { templatePath } from './template-path.ts';

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');

function contentReply(set: TemplateSet, entityType: string, present: PresentFile<TemplateFile>) {
  const { path, text, checksum, read } = present;
  const document = readDocument(text);
  const known = set.problems.filter((problem) => problem.path === path);
  return {
    name: nameOf(path),
    entity_type: entityType,
    path,
    content: text,
    checksum,
    frontmatter: document.ok ? document.data : {},
    markdown_body: document.ok ? document.body : '',
    is_valid: 'file' in read,
    problems: 'file' in read || known.length > 0 ? known : [read.problem],
    definition: set.types.get(entityType) ?? null,
  };
}

function placeholdersOf(fields: readonly FieldDefinition[], before = ''): [string, string][] {
  return fields.flatMap(({ name, placeholder, properties }): [string, string][] => [
    ...(placeholder === undefined ? [] : [[before + name, placeholder] as [string, string]]),
    ...placeholdersOf(properties ?? [], `${before}${name}.`),
  ]);
}

/** Reads templates (spec 1 §4.2). `name` is a type or a file name. */
export function createTemplates(registry: TemplateRegistry) {
  return {
    async list(project: Project) {
      const set = await registry.of(project);
      const templates = [...set.types.values()].map((definition) => ({
        name: nameOf(definition.path),
        ...layoutOf(definition),
        template_version: definition.template_version,
        path: definition.path,
        asset_subfolders: definition.asset_subfolders,
        status: definition.status,
        checksum: set.files.get(definition.path)?.checksum ?? '',
        fields: definition.fields,
      }));
      return { templates, problems: [...set.problems] };
    },

    async types(project: Project) {
      return { entity_types: [...(await registry.of(project)).types.values()].map(layoutOf) };
    },

    async reload(project: Project) {
      const { added, changed, removed, set, durationMs } = await registry.reload(project);
      return {
        added,
        changed,
        removed,
        total: set.types.size,
        problems: [...set.problems],
        duration_ms: durationMs,
      };
    },

    async read(project: Project, name: string) {
      const set = await registry.of(project);
      const type = templateTypeOfName(name);
      const present = await readPresent(project.files, templatePath(set, type), templateKind);
      if (present === null) throw unknownType(set, type);
      return contentReply(set, type, present);
    },

    async instructions(project: Project, name: string) {
      const definition = requireType(await registry.of(project), templateTypeOfName(name));
      return {
        entity_type: definition.entity_type,
        instructions: definition.generation_instructions,
        placeholders: Object.fromEntries(placeholdersOf(definition.fields)),
        sections: sectionsOf(definition),
      };
    },
  };
}

export type Templates = ReturnType<typeof createTemplates>;

/** The instructions for writers in the default body; with a skeleton, the template's own body is instruction too. */
const sectionsOf = ({ body, skeleton }: TemplateDefinition) => [
  ...outlineOf(skeleton),
  ...(skeleton === body ? [] : outlineOf(body)),
];

function layoutOf(definition: TemplateDefinition) {
  const { entity_type, label, description, template_category, source, folder_name, file_prefix } = definition;
  const { ui_icon, ui_color } = definition;
  return {
    entity_type,
    label,
    description,
    template_category,
    source,
    folder_name,
    file_prefix,
    ...(ui_icon !== undefined && { ui_icon }),
    ...(ui_color !== undefined && { ui_color }),
  };
}
