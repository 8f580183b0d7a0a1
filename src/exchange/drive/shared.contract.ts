import { type TSchema, Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import type { Contract } from '../../kit/contract.ts';

export const TAG = 'Cloud drive';

export const FileId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}$' });
export const PageToken = Type.String({ minLength: 1, maxLength: 2_048 });
export const FolderName = Type.String({ minLength: 1, maxLength: 255 });

/** `{file_id}` in the path. */
export const fileParams = Type.Object({ file_id: FileId });

export const exampleTime = '2026-03-04T05:06:07.890Z';
export const exampleFolderId = '1xQpWmZr7nV9aBcD3eFgHiJkLmNoPqRsT';
export const exampleFileId = '1aBcD3eFgHiJkLmNoPqRsTuVwXyZ012345';

/** Every route of the drive: 403 where the plan has none, 409 where none is set up or connected. */
export const ofDrive = {
  auth: 'bearer',
  feature: 'cloud_drive',
  tag: TAG,
  errors: [403, 409, 503],
} as const satisfies Partial<Contract<TSchema>>;

export const onProject = { ...ofDrive, project: true } as const;

/** The place of a world's files is a setting. */
export const bySettings = { ...onProject, role: PERMISSIONS.manage_settings } as const;

/** One route under both prefixes: the same input, and a name for each. */
export const both = <Input extends { name: string }>(input: Input) => ({
  under: (name: string): Input => ({ ...input, name }),
  input,
});
