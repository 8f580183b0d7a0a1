import type { Mail } from '../../platform/mail/mail.ts';

export const deletionMail = (to: string, tenantName: string, by: string, day: string): Mail => ({
  to,
  subject: `${tenantName} will be deleted on ${day}`,
  text: `${by} asked for ${tenantName} to be deleted on ${day}: its content, its settings and the accounts of its members, yours among them.

Until then everything works as before. Download what you want to keep: each project is available as a zip.

A subscription ends on that day too. If it is not to be renewed before then, an owner can cancel it.

Any owner of ${tenantName} can call the deletion off until ${day}. After that day nothing can be brought back.
`,
});

export const keptMail = (to: string, tenantName: string, by: string): Mail => ({
  to,
  subject: `${tenantName} stays`,
  text: `${by} called off the deletion of ${tenantName}. Nothing is lost, and there is nothing to do.
`,
});
