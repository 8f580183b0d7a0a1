import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { binaryReply, contract, MEMORY } from '../../kit/contract.ts';
import { closed, NullableText, named, nullableText, Text } from '../../kit/schemas.ts';
import {
  exampleFileId,
  exampleFolderId,
  FileId,
  FolderName,
  fileParams,
  ofDrive,
  onProject,
  PageToken,
} from './shared.contract.ts';

const MEGABYTE = 1_000_000;
/** Characters of a text that is written into the drive. */
const LONGEST_TEXT = 5 * MEGABYTE;
/** UTF-8 needs up to three bytes a character, and JSON escapes. */
const bodyLimitOf = (characters: number): number => 4 * characters;

const file = {
  id: Text,
  name: Text,
  mimeType: Text,
  size: nullableText('Bytes; null for folders and the drive’s own documents'),
  modifiedTime: Text,
  webContentLink: NullableText,
};
const exampleFile = {
  id: exampleFileId,
  name: 'Mira Vale.md',
  mimeType: 'text/markdown',
  size: '2048',
  modifiedTime: '2026-03-04T05:06:07.890Z',
  webContentLink: 'https://drive.google.com/uc?id=1aBcD&export=download',
};

const readsOwn = { ...ofDrive, errors: [400, 403, 404, 409, 503] } as const;
const writesOwn = { ...ofDrive, role: PERMISSIONS.edit_entities, errors: [403, 404, 409, 503] } as const;
const params = { file_id: exampleFileId };

export const listDriveFiles = contract('GET /api/drive/files', {
  ...readsOwn,
  name: 'listDriveFiles',
  summary: "Files of the caller's drive",
  description:
    "Only files that Canonry made or that were picked for it: it may see no others. `query` is a term of the drive's query language, such as `name contains 'Mira'`; it is checked first, and 400 says what is wrong with it. Trashed files are left out.",
  query: Type.Object({
    query: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
    folder_id: Type.Optional({ ...FileId, description: 'Files directly in this folder' }),
    page_token: Type.Optional(PageToken),
    page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  }),
  reply: named('DriveFiles', { files: Type.Array(Type.Object(file)), nextPageToken: NullableText }),
  example: { reply: { files: [exampleFile], nextPageToken: null } },
});

export const getDriveFile = contract('GET /api/drive/files/{file_id}', {
  ...readsOwn,
  name: 'getDriveFile',
  summary: "A file of the caller's drive",
  params: fileParams,
  reply: named('DriveFile', {
    ...file,
    createdTime: Text,
    webLink: NullableText,
    webViewLink: NullableText,
    description: Text,
  }),
  example: {
    params,
    reply: {
      ...exampleFile,
      createdTime: '2026-03-01T08:00:00.000Z',
      webLink: 'https://drive.google.com/file/d/1aBcD/view',
      webViewLink: 'https://drive.google.com/file/d/1aBcD/view',
      description: '',
    },
  },
});

export const exportDriveFile = contract('GET /api/drive/files/{file_id}/export', {
  ...readsOwn,
  name: 'exportDriveFile',
  summary: 'A file as text',
  description:
    "The drive's own documents are converted to text, its tables to CSV; other files are sent as they are. Also as a download.",
  params: fileParams,
  replyType: 'text/plain; charset=utf-8',
  reply: binaryReply,
  example: { params },
});

export const downloadDriveFile = contract('GET /api/drive/files/{file_id}/download', {
  ...readsOwn,
  name: 'downloadDriveFile',
  summary: "A file's bytes",
  description:
    "As a download. One range of bytes is sent where one is asked for. 422 for folders and for the drive's own documents, which have no bytes: `…/export` has their text.",
  params: fileParams,
  replyType: 'application/octet-stream',
  reply: binaryReply,
  errors: [403, 404, 409, 416, 503],
  example: { params },
});

export const exportEntityToDrive = contract('POST /api/drive/export-entity', {
  ...onProject,
  role: PERMISSIONS.edit_entities,
  name: 'exportEntityToDrive',
  summary: 'Make a word-processing document of an entity',
  description:
    "`content` is markdown, with frontmatter or without: its fields become a table above the text. HTML in it is shown as text. The document is made in `folder_id`, or in the project's folder, by the drive's own conversion, and is a copy: it does not follow the entity. 403 with `upgrade_url` without a consent to write.",
  body: closed({
    name: FolderName,
    content: Type.String({ maxLength: MEGABYTE }),
    folder_id: Type.Optional(FileId),
  }),
  bodyLimit: bodyLimitOf(MEGABYTE),
  memory: MEMORY.ofTexts,
  reply: named('ExportedDocument', {
    file_id: Text,
    name: Text,
    web_view_link: NullableText,
    mime_type: Text,
  }),
  errors: [403, 404, 409, 503],
  example: {
    body: {
      name: 'Mira Vale',
      content: '---\nborn: 392\n---\n\n# Mira\n\nReads the tides.\n',
      folder_id: exampleFolderId,
    },
    reply: {
      file_id: exampleFileId,
      name: 'Mira Vale',
      web_view_link: 'https://docs.google.com/document/d/1aBcD/edit',
      mime_type: 'application/vnd.google-apps.document',
    },
  },
});

export const updateDriveFile = contract('PUT /api/drive/files/{file_id}', {
  ...writesOwn,
  name: 'updateDriveFile',
  summary: 'Replace the content of a text file',
  description:
    "The former content stays in the drive's version history. `modified` is false if the content is the same. 422 for files that are no text, and for the drive's own documents, whose layout would be lost. 403 with `upgrade_url` without a consent to write.",
  params: fileParams,
  body: closed({ content: Type.String({ maxLength: LONGEST_TEXT }) }),
  bodyLimit: bodyLimitOf(LONGEST_TEXT),
  reply: named('UpdatedDriveFile', {
    file_id: Text,
    name: Text,
    modified: Type.Boolean(),
    modified_time: Text,
  }),
  example: {
    params,
    body: { content: '# Mira\n' },
    reply: {
      file_id: exampleFileId,
      name: 'Mira Vale.md',
      modified: true,
      modified_time: '2026-03-04T05:06:07.890Z',
    },
  },
});

const Role = Type.Enum(['reader', 'commenter', 'writer']);

export const shareDriveFile = contract('POST /api/drive/files/{file_id}/share', {
  ...writesOwn,
  name: 'shareDriveFile',
  summary: 'Share a file with somebody',
  description: 'They get no mail. 403 with `upgrade_url` without a consent to write.',
  params: fileParams,
  body: closed({
    email: Type.String({ format: 'email', maxLength: 254 }),
    role: Type.Optional({ ...Role, default: 'reader' }),
  }),
  reply: named('DriveShare', { permission_id: Text, email: Text, role: Role }),
  example: {
    params,
    body: { email: 'ada@example.com', role: 'commenter' },
    reply: { permission_id: '03614829475836291045', email: 'ada@example.com', role: 'commenter' },
  },
});
