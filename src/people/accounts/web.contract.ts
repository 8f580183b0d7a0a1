import { contract } from '../../kit/contract.ts';
import { WEB_TAG, WebSession, webSessionExample } from '../auth/web.contract.ts';
import { Registered, registerAccount } from './accounts.contract.ts';

export const webRegisterAccount = contract('POST /api/auth/web/register', {
  name: 'webRegisterAccount',
  auth: 'none',
  tag: WEB_TAG,
  summary: 'Register in a browser',
  description:
    'As `POST /api/auth/register`, but the first account of an installation is signed in by cookies, as by `POST /api/auth/web/login`.',
  body: registerAccount.body,
  reply: WebSession,
  status: 201,
  accepted: Registered,
  errors: [403, 503],
  limit: 'login',
  example: { body: registerAccount.example.body, reply: webSessionExample },
});
