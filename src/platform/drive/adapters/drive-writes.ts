import type { Drive, FileChange, NewFile } from '../drive.ts';
import { readJson } from './answers.ts';
import type { DriveClient } from './drive-client.ts';
import { FILE_FIELDS, readFile } from './read-file.ts';
import { upload } from './uploads.ts';
import { ALL_DRIVES, filePath, jsonOf, queryOf } from './values.ts';

export function writesOf(client: DriveClient): Pick<Drive, 'create' | 'update'> {
  return {
    create: (file, content) =>
      upload(client, {
        method: 'POST',
        path: `/drive/v3/files${queryOf({ ...ALL_DRIVES, fields: FILE_FIELDS })}`,
        metadata: metadataOf(file),
        content: { ...content, mimeType: file.mimeType, from: (offset) => content.from(offset) },
        // Without an id of ours, only a session tells whether an answer that was lost told of a new document.
        isInSession: file.convertTo !== undefined,
      }),
    async update(fileId, change) {
      const { content, move } = change;
      const path = `${filePath(fileId)}${queryOf({
        ...ALL_DRIVES,
        fields: FILE_FIELDS,
        addParents: move?.to,
        removeParents: move?.from,
      })}`;
      const metadata = changesOf(change);
      if (content) return upload(client, { method: 'PATCH', path, metadata, content });
      return client.call({
        method: 'PATCH',
        path,
        send: () => jsonOf(metadata),
        read: async (answer) => readFile(await readJson(answer)),
      });
    },
  };
}

/** The drive takes no ids of ours for documents of its own. */
const metadataOf = ({ fileId, name, parentId, mimeType, convertTo, description }: NewFile) => ({
  ...(convertTo === undefined && { id: fileId }),
  name,
  parents: [parentId],
  mimeType: convertTo ?? mimeType,
  ...(description !== undefined && { description }),
});

const changesOf = ({ name, trashed, content }: FileChange) => ({
  ...(name !== undefined && { name }),
  ...(trashed !== undefined && { trashed }),
  ...(content && { mimeType: content.mimeType }),
});
