export { createDocument, newDocument } from './create.ts';
export { type DecodeResult, decodeUtf8, textOfAnyBytes } from './decode.ts';
export { changeDocument, type DocumentEdit, editDocument } from './edit.ts';
export { formatDocument } from './format.ts';
export { DOCUMENT_LIMITS } from './limits.ts';
export { DocumentError, type DocumentProblem, type DocumentProblemCode } from './problem.ts';
export { type ReadDocument, type ReadResult, readDocument } from './read.ts';
export { type SplitDocument, splitDocument } from './split.ts';
export { editYamlFile, readYamlFile } from './yaml-file.ts';
