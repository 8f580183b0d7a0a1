export { settingsMigrations } from './settings.tables.ts';
