import type { JsonMap } from '../../../text/json.ts';
import { isMap } from '../../../text/json.ts';
import { type DriveFile, FOLDER_TYPE } from '../drive.ts';
import { numberIn, textIn, timeIn } from './values.ts';

export const FILE_FIELDS = [
  'id,name,mimeType,parents,size,sha256Checksum,headRevisionId,version,trashed,explicitlyTrashed',
  'createdTime,modifiedTime,lastModifyingUser(displayName,emailAddress),driveId,capabilities(canEdit)',
  'description,webViewLink,webContentLink',
].join(',');

/** Documents of the drive's own, and shortcuts. */
const NATIVE = 'application/vnd.google-apps.';

export function readFile(json: JsonMap): DriveFile {
  const mimeType = textIn(json.mimeType) ?? 'application/octet-stream';
  const isFolder = mimeType === FOLDER_TYPE;
  const isNative = mimeType.startsWith(NATIVE) && !isFolder;
  const hasContent = !isFolder && !isNative;
  return {
    fileId: textIn(json.id) ?? '',
    name: textIn(json.name) ?? '',
    mimeType,
    parentId: Array.isArray(json.parents) ? textIn(json.parents[0]) : null,
    isFolder,
    isNative,
    size: hasContent ? numberIn(json.size) : null,
    sha256: hasContent ? (textIn(json.sha256Checksum)?.toLowerCase() ?? null) : null,
    headRevisionId: hasContent ? textIn(json.headRevisionId) : null,
    version: numberIn(json.version) ?? 0,
    isTrashed: json.trashed === true,
    isTrashedItself: json.explicitlyTrashed === true,
    createdAt: timeIn(json.createdTime) ?? 0,
    modifiedAt: timeIn(json.modifiedTime) ?? 0,
    modifiedBy: userIn(json.lastModifyingUser),
    driveId: textIn(json.driveId),
    canEdit: isMap(json.capabilities) && json.capabilities.canEdit === true,
    description: textIn(json.description) ?? '',
    webViewLink: textIn(json.webViewLink),
    webContentLink: textIn(json.webContentLink),
  };
}

const userIn = (value: unknown): string | null =>
  isMap(value) ? (textIn(value.displayName) ?? textIn(value.emailAddress)) : null;
