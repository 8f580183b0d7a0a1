export { defineSettings } from './define-settings.ts';
export { createSettings } from './settings.service.ts';
export { settingsMigrations } from './settings.tables.ts';
