import { contract } from '../../kit/contract.ts';
import { WEB_TAG, WebSession, webSessionExample } from '../auth/web.contract.ts';

export const startDesktopSession = contract('POST /api/desktop/session', {
  name: 'startDesktopSession',
  auth: 'none',
  tag: WEB_TAG,
  summary: 'Sign in a browser on this machine, without a password',
  description:
    'For the owner of the installation, whose account is made if there is none. Sets the cookies of `POST /api/auth/web/login`. Pages of other sites are refused, as on each route of the desktop surface.',
  reply: WebSession,
  status: 201,
  errors: [403, 409],
  example: { reply: webSessionExample },
});
