import { Readable } from 'node:stream';
import { sha256Hex } from '../../kit/crypto.ts';
import { forbidden, invalid, notFound } from '../../kit/errors.ts';
import {
  DOCUMENT_TYPE,
  type Drive,
  type DriveContent,
  type DriveFile,
  type DrivePermission,
  type ShareRole,
} from '../../platform/drive/drive.ts';
import { convertInThread } from './documents/convert-in-thread.ts';
import { writableFolder } from './folders.ts';

const HTML = 'text/html';
/** Besides `text/…`. */
const TEXT_TYPES = [
  'application/json',
  'application/xml',
  'application/yaml',
  'application/x-yaml',
  'application/javascript',
  'application/toml',
  'image/svg+xml',
];

const isText = ({ mimeType }: DriveFile): boolean =>
  mimeType.startsWith('text/') || TEXT_TYPES.includes(mimeType);

/** 404 for one that is not there, or that may not be seen. */
export async function fileOf(drive: Drive, fileId: string): Promise<DriveFile> {
  const file = await drive.file(fileId);
  if (file) return file;
  throw notFound(`There is no file '${fileId}' in the drive, or Canonry may not see it`, {
    code: 'no_such_file',
  });
}

function contentOf(bytes: Buffer): DriveContent {
  return { size: bytes.length, from: (offset) => Readable.from([bytes.subarray(offset)]) };
}

/** The drive converts the page to a document of its own. */
export async function createDocument(
  drive: Drive,
  { name, content, folderId }: { name: string; content: string; folderId: string },
): Promise<DriveFile> {
  const folder = await writableFolder(drive, folderId);
  const page = Buffer.from(await convertInThread({ name, markdown: content }));
  const [fileId = ''] = await drive.newIds(1);
  return drive.create(
    { fileId, name, parentId: folder.fileId, mimeType: HTML, convertTo: DOCUMENT_TYPE },
    contentOf(page),
  );
}

/** 422 for files that are no text. The former content stays as a revision. */
export async function replaceText(
  drive: Drive,
  fileId: string,
  text: string,
): Promise<{ file: DriveFile; isModified: boolean }> {
  const file = await fileOf(drive, fileId);
  const { name, mimeType } = file;
  if (file.isNative)
    throw invalid(
      `'${name}' is a document of the drive's own, and text would take its layout: edit it there`,
      {
        code: 'native_document',
      },
    );
  if (file.isFolder || !isText(file))
    throw invalid(`'${name}' is no text: it is ${mimeType}`, { code: 'not_text' });
  if (!file.canEdit)
    throw forbidden(`You may not change '${name}' in the drive`, { code: 'drive_forbidden' });
  const bytes = Buffer.from(text);
  if (file.sha256 === sha256Hex(bytes)) return { file, isModified: false };
  const content = { ...contentOf(bytes), mimeType };
  return { file: await drive.update(file.fileId, { content }), isModified: true };
}

export async function share(
  drive: Drive,
  fileId: string,
  permission: { email: string; role: ShareRole },
): Promise<DrivePermission> {
  const file = await fileOf(drive, fileId);
  return drive.share(file.fileId, permission);
}
