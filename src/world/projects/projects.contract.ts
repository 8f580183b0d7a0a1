import { Type } from 'typebox';
import { ROLES } from '../../access/plans.ts';
import { contract, projectIdSchema } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { closed, NullableText, named } from '../../kit/schemas.ts';

/** Characters of a project's name. */
export const LONGEST_NAME = 200;

const Project = named('Project', {
  id: Type.String({ description: 'Send it as `X-Project-Id`' }),
  name: Type.String({ description: 'The id, unless it was given a name' }),
  entities: Type.Integer({ minimum: 0, description: 'As many as were found so far' }),
  changed_at: { ...NullableText, description: 'The last change; null for none so far' },
  available: Type.Boolean({ description: 'Whether its folder is there' }),
  role: Type.Enum(ROLES, { description: 'The caller’s' }),
});

const example = {
  id: 'low_water',
  name: 'Low Water',
  entities: 42,
  changed_at: '2026-03-02T10:15:00.000Z',
  available: true,
  role: 'editor' as const,
};

const Name = Type.String({ minLength: 1, maxLength: LONGEST_NAME, pattern: '\\S' });
const shared = { auth: 'bearer', tag: 'Projects' } as const;

export const listProjects = contract('GET /api/projects', {
  ...shared,
  name: 'listProjects',
  summary: 'List the projects',
  description:
    'By id, the default project first. On a desktop these are the folders of the machine that are projects.',
  query: Type.Object(pageQuery),
  reply: pageReply({ projects: Type.Array(Project) }),
  example: { reply: { total: 1, offset: 0, limit: 50, projects: [example] } },
});

export const createProject = contract('POST /api/projects', {
  ...shared,
  name: 'createProject',
  role: 'editor',
  summary: 'Create a project',
  body: closed({
    id: Type.Optional(
      projectIdSchema('Made of the name unless given: `Low Water` becomes `low_water`, or `low_water_2`'),
    ),
    name: Name,
    start: Type.Enum(['empty', 'starter', 'sample'], {
      description: 'What is in it: nothing, the starter templates and rules, or these and the sample world',
    }),
  }),
  reply: Project,
  status: 201,
  errors: [409],
  example: {
    body: { name: 'Low Water', start: 'starter' },
    reply: { ...example, entities: 0, changed_at: null },
  },
});

export const renameProject = contract('PATCH /api/projects/{id}', {
  ...shared,
  name: 'renameProject',
  role: 'admin',
  summary: 'Give a project another name',
  description: 'Its id stays. The name is kept in the project’s folder, in `.canonry/project.json`.',
  params: Type.Object({ id: projectIdSchema('The project') }),
  body: closed({ name: Name }),
  reply: Project,
  errors: [404],
  example: { params: { id: 'low_water' }, body: { name: 'Low Water' }, reply: example },
});
