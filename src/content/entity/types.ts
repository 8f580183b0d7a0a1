import type { LineOf } from '../template/types.ts';

export const ENTITY_STATUSES = ['active', 'archived', 'draft'] as const;
export type EntityStatus = (typeof ENTITY_STATUSES)[number];

export type ValidationCode =
  | 'wrong_type'
  | 'not_an_option'
  | 'required'
  | 'unknown_status'
  | 'unknown_key'
  | 'invalid_id'
  | 'invalid_name'
  | 'entity_type_mismatch'
  | 'reserved_name'
  | 'invalid_path'
  | 'inexact_number'
  | 'rule'
  | 'unreadable_file'
  | 'refused_file';

/** `field` is a dotted path; null for the file as a whole. */
export interface ValidationError {
  field: string | null;
  message: string;
  code: ValidationCode;
  line?: number;
  severity: 'error' | 'warning';
  /** Set if `code` is `rule`. */
  rule_id?: string;
}

/** Plain data: it crosses threads. */
export interface ReferenceQuestion {
  /** Null: any type. */
  to_type: string | null;
  to_id: string;
  error: ValidationError;
}

/** Spec 1 §2.1. */
export interface EntityContent {
  entity_type: string;
  entity_id: string;
  name: string;
  status: string;
  production_status: unknown;
  primary_asset: string | null;
  template_version: string | null;
  own_fields: Record<string, unknown>;
  /** Own fields and the template's defaults: template order first, unknown keys after. Shares values with own_fields and the template. */
  fields: Record<string, unknown>;
  markdown_body: string;
  validation_errors: ValidationError[];
  is_valid: boolean;
}

export interface EntityDocument {
  data: Record<string, unknown>;
  body: string;
  folderId: string;
  lineOf?: LineOf;
}

export interface NewEntity {
  entity_id: string;
  name: string;
  status: string;
  fields: Record<string, unknown>;
  /** `YYYY-MM-DD`. */
  today: string;
}

/** Absent ones stay as they are. */
export interface EntityPatch {
  name?: string;
  status?: string;
  fields?: Record<string, unknown>;
  primary_asset?: string | null;
  production_status?: unknown;
  /** `YYYY-MM-DD`. */
  today: string;
}

/** `after` names the key that a new key should follow. */
export interface EntityDataEdit {
  set: Record<string, unknown>;
  after: Record<string, string>;
}
