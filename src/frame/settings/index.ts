export { defineSettings } from './define-settings.ts';
export { createSettings } from './settings.service.ts';
export { type SettingsTables, settingsMigrations } from './settings.tables.ts';
