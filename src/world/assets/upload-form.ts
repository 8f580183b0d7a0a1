import type { BodyOf } from '../../kit/contract.ts';
import { invalidField } from '../../kit/errors.ts';
import type { UploadedFile } from '../../kit/route.ts';
import { listOf } from './assets.routes.ts';
import type { uploadAsset, uploadEntityFile } from './upload.contract.ts';
import type { Upload } from './upload.service.ts';

/** The fields of an upload beside the bytes, in any form of request. */
export type UploadForm = BodyOf<typeof uploadAsset>;
type FormOfEntity = BodyOf<typeof uploadEntityFile>;

export function uploadTo(
  target: Pick<Upload, 'entity' | 'kind'>,
  file: UploadedFile,
  { tags, overwrite = false, is_primary = false, subfolder, description, license, source }: FormOfEntity,
): Upload {
  const entry = { description, license, source, ...(tags !== undefined && { tags: listOf(tags) }) };
  const given = Object.entries(entry).filter(([, value]) => value !== undefined && value !== '');
  return { ...target, file, overwrite, isPrimary: is_primary, subfolder, entry: Object.fromEntries(given) };
}

export function uploadOf(file: UploadedFile, form: UploadForm): Upload {
  const { entity_type: type, entity_id: id, ...rest } = form;
  return uploadTo({ entity: entityOf(type, id), kind: null }, file, rest);
}

function entityOf(type: string | undefined, id: string | undefined): Upload['entity'] {
  if (type === undefined && id === undefined) return null;
  if (type !== undefined && id !== undefined) return { type, id };
  const [field, other] = type === undefined ? ['entity_type', 'entity_id'] : ['entity_id', 'entity_type'];
  const message = `is required beside ${other}: together they name the entity`;
  throw invalidField(field, message);
}
