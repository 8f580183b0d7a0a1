export const OPERATIONS_TAGS = {
  Operations: 'Health, readiness and logs.',
  Documentation: 'The API description and the pages that show it.',
  Studio: 'The web app, and what it must know of the installation.',
};

export const API_TITLE = 'Canonry';

export const API_DESCRIPTION = `Canonry keeps the canon of a fictional world: a folder of markdown files is a typed, searchable, synced API.

Sign in with \`POST /api/auth/login\` and send the access token as \`Authorization: Bearer <token>\`. Bodies and replies are JSON.
A refusal is \`{detail}\`, often with a \`code\` for programs and \`errors\` for each refused field.

Routes on content work on one project: the header \`X-Project-Id\` or the query \`project_id\` names it, else it is \`default\`.`;
