import type { AppliedRule } from '../rules/types.ts';

/** Where a key or value stands in a file (1-based line), if that is known. */
export type LineOf = (path: readonly (string | number)[]) => number | undefined;

/** Value types of fields, as inferred from a template's defaults (spec 1 §2.2). */
export type FieldType = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** The type of an array's entries; `any` if several types are welcome. */
export type ItemType = FieldType | 'any';

export interface FieldOption {
  value: string | number | boolean;
  label: string;
  hex?: string;
}

export interface FieldDefinition {
  name: string;
  label: string;
  type: FieldType;
  /** The template's default is a bare `key:` or null. Null clears any field; this says that it is the usual empty value. */
  nullable: boolean;
  /** The word an explicit `fields:` entry used, such as `integer`, `date` or `select`. */
  declared_type?: string;
  items?: ItemType;
  /** The real default, deeply frozen: bracketed placeholders are left out ('' in their place). */
  default: unknown;
  /** The bracketed instruction that stood where a default would. */
  placeholder?: string;
  description?: string;
  required: boolean;
  options?: FieldOption[];
  widget: string;
  /** The field's `field_config`, as given. */
  config: Record<string, unknown>;
  reference_type?: string;
  /** Typed keys of an object, or of the objects that an array holds. */
  properties?: FieldDefinition[];
}

export type TemplateSource = 'core' | 'standard' | 'custom';

/** Something a template's author should know; the template is used all the same. */
export interface TemplateProblem {
  message: string;
  severity: 'error' | 'warning';
  field?: string;
  line?: number;
}

export interface TemplateDefinition {
  entity_type: string;
  label: string;
  description: string;
  template_category: string;
  template_version: string;
  source: TemplateSource;
  /** Path from the project's root, such as `_Templates/Standard/CHARACTER_TEMPLATE.md`. */
  path: string;
  folder_name: string;
  file_prefix: string;
  asset_subfolders: string[];
  ui_icon?: string;
  ui_color?: string;
  generation_instructions: string;
  status: string;
  fields: FieldDefinition[];
  body: string;
  /** The body of an entity that is created without one: `markdown_skeleton`, else the template's body. */
  skeleton: string;
  /** Metadata keys as the file has them. */
  metadata: Record<string, unknown>;
  problems: TemplateProblem[];
  /** The rules that apply to the type (spec 1 §2.3); a template's own file holds none. */
  rules: readonly AppliedRule[];
}

export type TemplateRefusal =
  | 'unreadable'
  | 'no_entity_type'
  | 'invalid_type'
  | 'reserved_type'
  | 'entity_type_mismatch';

export type ParsedTemplate =
  | { ok: true; template: TemplateDefinition }
  | { ok: false; problem: { code: TemplateRefusal; reason: string; line: number; column: number } };
