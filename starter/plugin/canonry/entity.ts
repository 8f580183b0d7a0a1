/** An entry, as GET /api/entity/{type}/{id} answers. */
export interface Entity {
  entity_type: string;
  entity_id: string;
  name: string;
  status: string;
  /** By the names that the type's template gives them. */
  fields: Record<string, unknown>;
  /** The text below the fields. */
  markdown_body: string;
  primary_asset: string | null;
  production_status: unknown;
  template_version: string | null;
  is_valid: boolean;
  validation_errors: unknown[];
  /** Grows by one with every change. */
  version: number;
  created_at: string;
  updated_at: string;
  updated_by: string | null;
}
