import { Type } from 'typebox';
import { contract, optionalBody, projectIdSchema } from '../../kit/contract.ts';
import { closed, NullableText, named, Text } from '../../kit/schemas.ts';
import { exampleReport, SyncReport } from '../../world/mirror/sync.contract.ts';

const DesktopProject = named('DesktopProject', {
  name: Type.String({ description: 'The id of the project: send it as `X-Project-Id`' }),
  path: Type.String({ description: 'Its folder' }),
  active: Type.Boolean({ description: 'Whether requests that name no project use it' }),
  default: Type.Boolean({ description: 'Whether it is the folder of CONTENT_DIR' }),
  available: Type.Boolean({ description: 'Whether the folder is there' }),
  entities: Type.Integer({ minimum: 0, description: 'As many as were found so far' }),
  added_at: NullableText,
});

const projectExample = {
  name: 'low-water',
  path: '/home/mara/worlds/low-water',
  active: true,
  default: false,
  available: true,
  entities: 42,
  added_at: '2026-03-02T10:15:00.000Z',
};

/** No authentication: only requests from this machine get here. */
export const local = { auth: 'none', tag: 'Desktop' } as const;
const ofOne = { params: Type.Object({ name: projectIdSchema('Name of the project') }) };
const params = { name: 'low-water' };

export const listDesktopProjects = contract('GET /api/desktop/projects', {
  ...local,
  name: 'listDesktopProjects',
  summary: 'Folders of this machine that are projects',
  reply: Type.Object({ projects: Type.Array(DesktopProject), active: Text }),
  example: { reply: { projects: [projectExample], active: 'low-water' } },
});

export const addDesktopProject = contract('POST /api/desktop/projects', {
  ...local,
  name: 'addDesktopProject',
  summary: 'Work with a folder',
  description:
    'The folder stays where it is and as it is. A folder that is already a project is returned as it is (200). A folder that was moved is found again under its name, history and all.',
  body: closed({
    path: Type.String({ minLength: 1, maxLength: 4_096, description: 'The whole path, from / on' }),
    name: Type.Optional(projectIdSchema("Made of the folder's name unless given")),
    starter: Type.Optional(
      Type.Boolean({ description: 'Fill a new or empty folder with the starter templates and rules' }),
    ),
  }),
  reply: DesktopProject,
  status: 201,
  errors: [409],
  example: {
    body: { path: '/home/mara/worlds/low-water' },
    reply: { ...projectExample, active: false, entities: 0 },
  },
});

export const removeDesktopProject = contract('DELETE /api/desktop/projects/{name}', {
  ...local,
  ...ofOne,
  name: 'removeDesktopProject',
  summary: 'Stop working with a folder',
  description: 'No file is touched, and its history is kept for when the folder comes back.',
  reply: Type.Object({ message: Text, active: Text }),
  errors: [404, 409],
  example: {
    params,
    reply: { message: "'low-water' is no longer a project here; its folder is unchanged", active: 'default' },
  },
});

export const activateDesktopProject = contract('POST /api/desktop/projects/{name}/activate', {
  ...local,
  ...ofOne,
  name: 'activateDesktopProject',
  summary: 'Make a project the active one',
  description:
    'From now on requests that name no project use it, even after a restart. Its folder is watched for as long as it is active.',
  reply: DesktopProject,
  errors: [404, 503],
  example: { params, reply: projectExample },
});

export const scanDesktopProject = contract('POST /api/desktop/projects/{name}/scan', {
  ...local,
  ...ofOne,
  name: 'scanDesktopProject',
  summary: 'Bring the database up to the folder',
  body: optionalBody({
    force: Type.Optional(
      Type.Boolean({ description: 'Continue although much would be deleted (`needs_confirmation`)' }),
    ),
  }),
  reply: SyncReport,
  errors: [404, 503],
  example: { params, body: { force: false }, reply: exampleReport },
});
