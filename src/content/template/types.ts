import type { AppliedRule } from '../rules/types.ts';

/** From 1, if known. */
export type LineOf = (path: readonly (string | number)[]) => number | undefined;

/** Inferred from a template's defaults (spec 1 §2.2). */
export type FieldType = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** `any` if several types are allowed. */
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
  /** The template's default is a bare `key:` or null, so null is the usual empty value. It clears any other field too. */
  nullable: boolean;
  /** From an explicit `fields:` entry, such as `integer`, `date` or `select`. */
  declared_type?: string;
  items?: ItemType;
  /** Deeply frozen; placeholders are left out ('' in their place). */
  default: unknown;
  /** The bracketed instruction in place of a default. */
  placeholder?: string;
  description?: string;
  required: boolean;
  options?: FieldOption[];
  widget: string;
  /** As given in `field_config`. */
  config: Record<string, unknown>;
  reference_type?: string;
  /** Of an object, or of the objects in an array. */
  properties?: FieldDefinition[];
}

export type TemplateSource = 'core' | 'standard' | 'custom';

/** For the template's author; the template is used all the same. */
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
  /** From the project's root, such as `_Templates/Standard/CHARACTER_TEMPLATE.md`. */
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
  /** For an entity created without a body: `markdown_skeleton`, else the template's body. */
  skeleton: string;
  /** As the file has them. */
  metadata: Record<string, unknown>;
  problems: TemplateProblem[];
  /** Spec 1 §2.3; a template's own file holds none. */
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
