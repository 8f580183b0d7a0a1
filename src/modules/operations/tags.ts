/** What the groups of routes are about, as the doc pages show it. */
export const TAGS: Readonly<Record<string, string>> = {
  Entities:
    'What a world is made of: characters, places, things. Each is one markdown file, and a row that mirrors it.',
  Revisions: 'Every state that an entity has had: list, read, compare, restore.',
  'Recycle bin': 'Deleted entities, until they are restored or removed for good.',
  Templates:
    'What types there are and which fields they have, as templates, as JSON Schema and as form hints.',
  Activation: 'Which types a project uses, and how much of the plan.',
  Sync: 'Folder and database brought together: what differs, full and partial runs, their reports, the file watcher.',
  Markdown: 'Single files and texts: check, format, export.',
  Manifest: 'Every file of a project with its checksum, and what changed since a moment.',
  Auth: 'Accounts of a self-hosted core: register, sign in, stay signed in, sign out.',
  Operations: 'Health, readiness and logs.',
  Documentation: 'The API description and the pages that show it.',
};

export const API_TITLE = 'Canonry';

export const API_DESCRIPTION = `Canonry keeps the canon of a fictional world: a folder of markdown files is a typed, searchable, synced API.

Sign in with \`POST /api/auth/login\` and send the access token as \`Authorization: Bearer <token>\`. Bodies and replies are JSON.
A refusal is \`{detail}\`, often with a \`code\` for programs and \`errors\` for each refused field.

Routes on content work on one project: the header \`X-Project-Id\` or the query \`project_id\` names it, else it is \`default\`.`;
