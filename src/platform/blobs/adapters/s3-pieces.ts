import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { BlobsError, type PutOptions } from '../blobs.ts';
import type { PieceUpload } from '../pieces.ts';
import { plainTag } from '../tags.ts';
import type { S3Call } from './s3-call.ts';
import type { Conditionally } from './s3-conditions.ts';

export function s3Pieces(
  call: S3Call,
  conditionally: Conditionally,
  target: { Bucket: string; Key: string },
  { contentType, only }: PutOptions,
): PieceUpload {
  const typed = { ...target, ...(contentType !== undefined && { ContentType: contentType }) };
  return {
    whole: (Body) =>
      conditionally(only, async (conditions) => {
        const command = new PutObjectCommand({
          ...typed,
          ...conditions,
          Body,
          ContentLength: Body.byteLength,
        });
        const { ETag } = await call((client, options) => client.send(command, options), Body.byteLength);
        return tagOf(ETag);
      }),
    async begin() {
      const { UploadId } = await call((client, options) =>
        client.send(new CreateMultipartUploadCommand(typed), options),
      );
      if (UploadId === undefined) throw new BlobsError('refused', 'The storage began no upload');
      const upload = { ...target, UploadId };
      const tags: (string | undefined)[] = [];
      return {
        async piece(index, Body) {
          const command = new UploadPartCommand({
            ...upload,
            PartNumber: index + 1,
            Body,
            ContentLength: Body.byteLength,
          });
          const { ETag } = await call((client, options) => client.send(command, options), Body.byteLength);
          tags[index] = ETag;
        },
        finish: () =>
          conditionally(only, async (conditions) => {
            const Parts = tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
            const command = new CompleteMultipartUploadCommand({
              ...upload,
              ...conditions,
              MultipartUpload: { Parts },
            });
            const { ETag } = await call((client, options) => client.send(command, options));
            return tagOf(ETag);
          }),
        async abandon() {
          const command = new AbortMultipartUploadCommand(upload);
          await call((client, options) => client.send(command, options));
        },
      };
    },
  };
}

const tagOf = (tag: string | undefined): string | null => plainTag(tag) || null;
