import type { Calls } from '../host.ts';

type Entity = Calls['entities.get'][1];

/** For tests: an entry that has nothing but what the test gives it. */
export const fakeEntity = (entity_id: string, more: Partial<Entity> = {}): Entity => ({
  entity_type: 'character',
  entity_id,
  name: entity_id,
  status: 'active',
  fields: {},
  markdown_body: '',
  primary_asset: null,
  production_status: null,
  template_version: null,
  is_valid: true,
  validation_errors: [],
  version: 1,
  created_at: '',
  updated_at: '',
  updated_by: null,
  ...more,
});
