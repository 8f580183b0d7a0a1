import type { AccountsPerson } from './accounts.ts';
import { answerWhen, type Cloud } from './cloud.ts';

/** A token with the new plan; from then on cores refuse the old one. */
export async function subscribed(
  { accounts, cores }: Pick<Cloud, 'accounts' | 'cores'>,
  person: AccountsPerson,
  plan: string,
): Promise<string> {
  const token = accounts.serviceToken;
  await accounts.ask('PUT', `/api/users/${person.id}/subscription`, { token, body: { plan } });
  for (const core of cores) {
    await answerWhen(
      () => core.call('GET', '/api/entity/character', { token: person.token }),
      ({ status }) => status === 401,
    );
  }
  const body = { refresh_token: person.refreshToken };
  return (await accounts.ask('POST', '/api/auth/refresh', { body })).body.access_token;
}
