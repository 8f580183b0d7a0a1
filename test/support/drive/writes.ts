import { type Act, type Api, fileOf } from './api.ts';
import { ApiError, badRequest, forbidden, invalid, storageFull } from './api-error.ts';
import { importedHtml } from './convert.ts';
import { DOCUMENT, FOLDER, isFolder, isNativeType, type StoredFile } from './objects.ts';
import { renderFile } from './render.ts';
import { type ApiRequest, answerJson, emptyAnswer, jsonBody, textOf } from './requests.ts';
import { DEFAULT_FILE, FILE } from './schemas.ts';
import { isWithin, newId } from './store.ts';

export interface Media {
  content: Buffer;
  mimeType: string;
}

type Metadata = Record<string, unknown>;

export const createFile: Act = (api, request) => created(api, request, jsonBody(request));
export const updateFile: Act = (api, request, [id = '']) => updated(api, request, id, jsonBody(request));

/** Throws what a creation would throw, before its content is there. */
export function checkNew(api: Api, request: ApiRequest, metadata: Metadata, size: number): StoredFile {
  const id = textOf(metadata, 'id');
  const mimeType = textOf(metadata, 'mimeType');
  if (id !== undefined) {
    if (api.store.files.has(id))
      throw new ApiError(409, {
        reason: 'fileIdInUse',
        message: 'A file already exists with the provided ID.',
        locationType: 'other',
        location: 'file.id',
      });
    if (!api.store.reservedIds.has(id))
      throw new ApiError(400, {
        reason: 'invalid',
        message: 'The provided file ID is not usable.',
        locationType: 'other',
        location: 'file.id',
      });
    if (mimeType !== undefined && mimeType !== FOLDER && isNativeType(mimeType))
      throw badRequest('Generated IDs are not supported for Docs Editors formats.');
  }
  const parents = metadata.parents ?? ['root'];
  if (!Array.isArray(parents) || !parents.every((each) => typeof each === 'string'))
    throw badRequest("Invalid value at 'parents'");
  if (parents.length > 1)
    throw forbidden('multipleParentsNotAllowed', 'A file cannot have more than one parent.');
  const parent = folderOf(api, request, parents[0] ?? 'root');
  checkRoom(api, parent, size);
  return parent;
}

export function created(api: Api, request: ApiRequest, metadata: Metadata, media?: Media) {
  const parent = checkNew(api, request, metadata, media?.content.length ?? 0);
  const { store } = api;
  const wanted = textOf(metadata, 'mimeType');
  const id = textOf(metadata, 'id') ?? newId();
  const type = wanted ?? media?.mimeType ?? 'application/octet-stream';
  if (type === FOLDER && media) throw badRequest('A folder cannot have content.');
  store.reservedIds.delete(id);
  const file = store.add({
    id,
    name: textOf(metadata, 'name') ?? 'Untitled',
    mimeType: type,
    parentId: parent.id,
    owner: store.account,
    description: textOf(metadata, 'description') ?? '',
    ...timesOf(metadata),
    properties: propertiesOf({}, metadata.properties),
    appProperties: propertiesOf({}, metadata.appProperties),
  });
  const { modifiedAt } = file;
  if (type !== FOLDER) {
    setContent(api, file, media ?? { content: Buffer.alloc(0), mimeType: type });
    if (metadata.modifiedTime !== undefined) file.modifiedAt = modifiedAt;
  }
  return answerJson(request, renderFile(api, file), FILE, DEFAULT_FILE);
}

export function updated(api: Api, request: ApiRequest, id: string, metadata: Metadata, media?: Media) {
  const { store } = api;
  const file = fileOf(api, request, id);
  checkWritable(api, file);
  if (metadata.parents !== undefined)
    throw forbidden(
      'fieldNotWritable',
      'The parents field is not directly writable in update requests. Use the addParents and removeParents parameters instead.',
    );
  if (metadata.id !== undefined && metadata.id !== id)
    throw forbidden('fieldNotWritable', 'The resource body includes fields which are not directly writable.');
  if (media && isFolder(file)) throw badRequest('A folder cannot have content.');
  if (media) checkRoom(api, file, media.content.length);
  const times = timesOf(metadata);
  moveTo(api, request, file);
  if (typeof metadata.trashed === 'boolean' && metadata.trashed !== file.trashedItself)
    store.trash(file, metadata.trashed);
  const changed = {
    ...names(metadata, ['name', 'description']),
    ...(metadata.properties !== undefined && {
      properties: propertiesOf(file.properties, metadata.properties),
    }),
    ...(metadata.appProperties !== undefined && {
      appProperties: propertiesOf(file.appProperties, metadata.appProperties),
    }),
  };
  if (Object.keys(changed).length > 0 || Object.keys(times).length > 0) {
    Object.assign(file, changed);
    store.touch(file, store.account);
  }
  if (media) setContent(api, file, media);
  Object.assign(file, times);
  return answerJson(request, renderFile(api, file), FILE, DEFAULT_FILE);
}

export const deleteFile: Act = (api, request, [id = '']) => {
  const file = fileOf(api, request, id);
  checkWritable(api, file);
  if (file.parentId === null || (file.driveId === null && file.owner !== api.store.account))
    throw insufficient();
  api.store.remove(file);
  return emptyAnswer(204);
};

function setContent({ store }: Api, file: StoredFile, { content, mimeType }: Media): void {
  const isDocument = file.mimeType === DOCUMENT;
  if (!isNativeType(file.mimeType) && file.revisions.length > 0) file.mimeType = mimeType;
  store.setContent(
    file,
    isDocument ? importedHtml(content, mimeType) : content,
    isDocument ? 'text/html' : mimeType,
    store.account,
  );
}

function moveTo(api: Api, request: ApiRequest, file: StoredFile): void {
  const ids = (name: string) => (request.query.get(name) ?? '').split(',').filter(Boolean);
  const [target, ...more] = ids('addParents');
  const removed = ids('removeParents').map((id) => (id === 'root' ? api.store.rootId : id));
  if (target === undefined) return;
  const folder = folderOf(api, request, target);
  if (folder.id === file.parentId) return;
  if (more.length > 0 || !removed.includes(file.parentId ?? ''))
    throw forbidden('cannotAddParent', 'Increasing the number of parents is not allowed');
  if (isWithin(api.store, folder.id, file))
    throw badRequest('The parent would create a cycle in the directory graph.');
  api.store.move(file, folder.id);
}

function folderOf(api: Api, request: ApiRequest, id: string): StoredFile {
  const folder = fileOf(api, request, id);
  if (!isFolder(folder)) throw forbidden('parentNotAFolder', 'The specified parent is not a folder.');
  checkWritable(api, folder);
  return folder;
}

export function checkWritable({ store }: Api, file: StoredFile): void {
  if (!store.canEdit(file)) throw insufficient();
}

const insufficient = () =>
  forbidden('insufficientFilePermissions', 'The user does not have sufficient permissions for this file.');

/** For new bytes in a folder or of a file. */
export function checkRoom({ store }: Api, { driveId }: StoredFile, size: number): void {
  if (driveId === null && store.storageLimit !== null && size > 0 && store.used + size > store.storageLimit)
    throw storageFull();
}

const names = (metadata: Metadata, wanted: string[]): object =>
  Object.fromEntries(
    wanted.flatMap((name) => {
      const value = textOf(metadata, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );

function timesOf(metadata: Metadata): { createdAt?: number; modifiedAt?: number } {
  const timeOf = (name: string) => {
    const text = textOf(metadata, name);
    if (text === undefined) return undefined;
    const time = Date.parse(text);
    if (Number.isNaN(time)) throw invalid(name);
    return time;
  };
  const [createdAt, modifiedAt] = [timeOf('createdTime'), timeOf('modifiedTime')];
  return { ...(createdAt !== undefined && { createdAt }), ...(modifiedAt !== undefined && { modifiedAt }) };
}

/** A null takes a property away. */
function propertiesOf(before: Record<string, string>, given: unknown): Record<string, string> {
  if (typeof given !== 'object' || given === null) return before;
  const all = Object.entries({ ...before, ...given }).filter(([, value]) => value !== null);
  return Object.fromEntries(all.map(([key, value]) => [key, String(value)]));
}
