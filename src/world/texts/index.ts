export type { ChangeSource } from './change-source.ts';
export { type FileRecord, type ImportItem, tooLargeFile, VERIFY_AGAIN } from './read-file.ts';
export { type ReadTexts, readText, readTextsHere, type TextToRead } from './read-texts.ts';
export { ASIDE_ROOT, COPIES_BIN, FILES_BIN, LOOSE_BINS, RECYCLE_ROOT } from './recycle-folders.ts';
export {
  contentJson,
  type EntityFile,
  type EntityStamp,
  type EntityState,
  entityJson,
  entityOfDocument,
  fileTextOf,
  folderNameOf,
  readEntityContent,
  readEntityFile,
  replyTexts,
  stampIn,
  withVersion,
} from './render.ts';
