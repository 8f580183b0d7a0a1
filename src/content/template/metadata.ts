/** They describe a file and are never entity data (spec 1 §2.2). */
const SHARED_METADATA = [
  'id',
  'name',
  'status',
  'entity_type',
  'template_version',
  'created_date',
  'last_updated',
  'production_status',
  'primary_asset',
  'primary_image',
  'associated_skills',
  'field_config',
] as const;

const TEMPLATE_ONLY = [
  'template_category',
  'folder_name',
  'file_prefix',
  'asset_subfolders',
  'ui_icon',
  'ui_color',
  'generation_instructions',
  'markdown_skeleton',
  'workflow',
  'associated_rules',
  'editable',
  'marketplace_eligible',
  'compat',
  'fields',
] as const;

/** Unless a template lists them under `fields`. */
export const ENTITY_METADATA_KEYS: ReadonlySet<string> = new Set([...SHARED_METADATA, ...TEMPLATE_ONLY]);

/** No template can turn these into a field. */
export const ATTRIBUTE_KEYS: ReadonlySet<string> = new Set(SHARED_METADATA);

/**
 * Never fields in a template. `label` and `description` describe the type if they hold plain text; empty or bracketed they
 * are fields.
 */
export const METADATA_KEYS: ReadonlySet<string> = new Set([...ENTITY_METADATA_KEYS, 'label', 'description']);

/** Reserved by routes. */
export const RESERVED_TYPES: ReadonlySet<string> = new Set([
  'all',
  'sync',
  'validate',
  'index',
  'settings',
  'reload',
  'instructions',
  'entity_types',
]);

export const TEMPLATE_CATEGORIES: ReadonlySet<string> = new Set([
  'entity',
  'document',
  'core',
  'map',
  'system',
]);
