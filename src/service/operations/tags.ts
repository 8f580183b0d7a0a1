/** What the groups of routes are about, as the doc pages show it. */
export const TAGS: Readonly<Record<string, string>> = {
  Entities:
    'What a world is made of: characters, places, things. Each is one markdown file, and a row that mirrors it.',
  Revisions: 'Every state that an entity has had: list, read, compare, restore.',
  Conflicts:
    'Two changes of one entity that cannot both hold: list, resolve; the one that loses stays a version.',
  'Recycle bin': 'Deleted entities, until they are restored or removed for good.',
  Changesets: 'Imports, renames and migrations: several files changed as one step, and the way back.',
  Imports:
    'Notes, tables and JSON from elsewhere: what they would become, taking them in, and what became of everything.',
  Exports: 'Content as files that you take along.',
  References: 'What refers to what: of an entity, of a project, broken ones, and as a graph.',
  Assets: 'Images, sound, models and data: found in the folder, described, uploaded, related, served.',
  'Asset queue': 'What is done for assets behind the requests: how far it is, pause and resume, once more.',
  Templates:
    'What types there are and which fields they have, as templates, as JSON Schema and as form hints.',
  Validation: 'Entities checked against their rules and templates.',
  Rules: 'What entities must hold: rule files, each rule, and the settings that switch them.',
  Activation: 'Which types a project uses, and how much of the plan.',
  Canon: 'Story time: the calendar of a world, and what contradicts itself in it.',
  Sync: 'Folder and database brought together: what differs, full and partial runs, their reports, the file watcher.',
  'Cloud sync': 'An installation kept the same as a cloud: send, take over, and what waits.',
  Realtime: 'What happens in a project: as it happens, and what was missed of it.',
  Webhooks: 'Events sent to addresses of yours, signed and tried again, and what became of them.',
  Markdown: 'Single files and texts: check, format, export.',
  Manifest: 'Every file of a project with its checksum, and what changed since a moment.',
  Auth: 'Accounts of a self-hosted core: register, sign in, stay signed in, sign out.',
  Accounts: 'Register, sign in, stay signed in, sign out: accounts of all tenants.',
  Members: 'Who belongs to a tenant and as what: invitations, roles, closed accounts.',
  Tenants: 'Customers, as those who run the installation make and change them.',
  'Web sessions': 'Signing in a browser by cookies that no script sees.',
  'Passwords and addresses': 'Forgotten passwords and the verification of addresses, by mail.',
  'Sign-in by provider': 'Accounts by way of Google or GitHub, for browsers and apps.',
  'Connected storage': "Access to people's files at a provider: connect, look, disconnect.",
  'API keys': 'Long-lived credentials for programs, sent where access tokens are.',
  Invitations: 'How somebody gets an account who may not register: an invitation, good once.',
  Users: 'Profiles, pictures and preferences, and the administration of accounts.',
  'Between services': 'What surfaces ask each other, with the service token.',
  Storage: 'Where files lie: a folder, S3 or Azure, tried out before it counts, and how much room there is.',
  Desktop:
    'An install on somebody’s own machine: its folders, its sign-in to a cloud, sync with it, and questions about the world.',
  Operations: 'Health, readiness and logs.',
  Documentation: 'The API description and the pages that show it.',
};

export const API_TITLE = 'Canonry';

export const API_DESCRIPTION = `Canonry keeps the canon of a fictional world: a folder of markdown files is a typed, searchable, synced API.

Sign in with \`POST /api/auth/login\` and send the access token as \`Authorization: Bearer <token>\`. Bodies and replies are JSON.
A refusal is \`{detail}\`, often with a \`code\` for programs and \`errors\` for each refused field.

Routes on content work on one project: the header \`X-Project-Id\` or the query \`project_id\` names it, else it is \`default\`.`;
