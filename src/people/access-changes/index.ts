export { accessChangesModule } from './access-changes.module.ts';
export { createAccessChanges, type NoteAccessChange } from './access-changes.service.ts';
