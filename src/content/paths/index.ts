export {
  classifyPath,
  type EntryType,
  type PathClass,
  type PathRole,
  type TypeFolders,
  typeFolders,
} from './classify.ts';
export { isConflictCopy } from './conflict-copy.ts';
export {
  entityFilePath,
  entityFolder,
  isAsideName,
  type MainFileCandidate,
  mainFileOf,
} from './entity-files.ts';
export { extensionOf, hasPreview, mimeTypeOf } from './mime.ts';
export { isSystemName } from './system-names.ts';
