import { defineHooks, settings } from '../../kit/guest.ts';
import { lintEntry } from './parts/lint-entry.ts';
import { readSettings } from './parts/settings.ts';

export const hooks = defineHooks({
  onEntityValidate: ({ entity }) => lintEntry(entity, readSettings(settings())),
});
