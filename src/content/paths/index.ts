export {
  classifyPath,
  type EntryType,
  type PathClass,
  type PathRole,
  type TypeFolders,
  typeFolders,
} from './classify.ts';
export { entityFilePath, entityFolder, type MainFileCandidate, mainFileOf } from './entity-files.ts';
export { hasPreview, mimeTypeOf } from './mime.ts';
