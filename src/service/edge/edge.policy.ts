import type { Method } from '../../kit/contract.ts';

export type Destination = 'accounts' | 'core';

export type EdgeAction =
  | { to: Destination; upgrades?: true }
  | { status: 501; code: string; detail: string }
  | { status: 404; detail: string };

export interface EdgeRule {
  method: Method | '*';
  /** `{id}` stands for one segment of the path, a final `*` for all of the rest. */
  path: string;
  action: EdgeAction;
}

const to = (destination: Destination, method: EdgeRule['method'], path: string): EdgeRule => ({
  method,
  path,
  action: { to: destination },
});

const refused = (method: Method, path: string, code: string, detail: string): EdgeRule => ({
  method,
  path,
  action: { status: 501, code, detail },
});

const removed = (method: EdgeRule['method'], path: string, detail: string): EdgeRule => ({
  method,
  path,
  action: { status: 404, detail },
});

/**
 * Every request that the edge forwards or refuses (spec 1 §4.9). The first matching rule applies; without one it is 404, to browsers as
 * a core's page.
 */
export const EDGE_POLICY: readonly EdgeRule[] = [
  refused(
    'GET',
    '/api/users/current',
    'current_user_refused',
    'The current user is not served at /api/users/current here: ask GET /api/auth/me',
  ),
  refused(
    'POST',
    '/api/users',
    'create_user_refused',
    'Accounts are not made at /api/users here: invite people by POST /api/auth/invite, or register by POST /api/auth/register',
  ),
  refused(
    'POST',
    '/api/users/login',
    'user_login_refused',
    'Nobody signs in at /api/users/login here: use POST /api/auth/login, or POST /api/auth/web/login for cookies',
  ),
  refused(
    'PUT',
    '/api/users/{id}/password',
    'change_password_refused',
    'Passwords are not changed at /api/users/{id}/password here: POST /api/auth/forgot-password sends a link to choose a new one',
  ),
  refused(
    'POST',
    '/api/users/me/avatar',
    'upload_avatar_refused',
    'Pictures are not uploaded to /api/users/me/avatar here: set avatar_url by PATCH /api/user/profile',
  ),

  removed('*', '/api/auth/set-password', 'Removed: choose a password by POST /api/auth/reset-password'),
  removed('*', '/api/auth/web/select-tenant', 'Removed: an account belongs to one tenant'),
  removed('*', '/api/auth/web/google-sso', 'Removed: see POST /api/auth/oauth/exchange'),
  removed('GET', '/api/users/{id}/api-key', 'There is no such route: see GET /api/api-keys'),
  removed('POST', '/api/users/{id}/api-key/regenerate', 'There is no such route: see POST /api/api-keys'),
  removed('POST', '/api/register', 'There is no such route: see POST /api/auth/register'),

  to('accounts', 'GET', '/api/people'),
  to('accounts', 'GET', '/api/users'),
  to('accounts', 'PATCH', '/api/users/profile'),
  to('accounts', 'GET', '/api/users/preferences'),
  to('accounts', 'PATCH', '/api/users/preferences'),
  to('accounts', 'GET', '/api/users/{id}'),
  to('accounts', 'PUT', '/api/users/{id}'),
  to('accounts', 'DELETE', '/api/users/{id}'),
  to('accounts', 'GET', '/api/user/profile'),
  to('accounts', 'POST', '/api/user/profile'),
  to('accounts', 'PATCH', '/api/user/profile'),
  to('accounts', 'GET', '/api/user/preferences'),
  to('accounts', 'GET', '/api/groups/user-permissions'),

  to('accounts', '*', '/api/auth/*'),
  to('accounts', 'GET', '/.well-known/jwks.json'),
  to('accounts', '*', '/api/api-keys'),
  to('accounts', '*', '/api/api-keys/*'),
  to('accounts', '*', '/api/tenants'),
  to('accounts', '*', '/api/tenants/*'),

  { method: 'GET', path: '/api/ws', action: { to: 'core', upgrades: true } },
  to('core', '*', '/api/*'),
  to('core', 'GET', '/'),
  to('core', 'GET', '/openapi.json'),
  to('core', 'GET', '/docs'),
  to('core', 'GET', '/docs/*'),
  to('core', 'GET', '/redoc'),
  to('core', 'GET', '/redoc/*'),
  to('core', 'GET', '/welcome'),
  to('core', 'GET', '/sign-in'),
  to('core', 'GET', '/register'),
  to('core', 'GET', '/forgot-password'),
  to('core', 'GET', '/reset-password'),
  to('core', 'GET', '/accept-invite'),
  to('core', 'GET', '/w'),
  to('core', 'GET', '/w/*'),
  to('core', 'GET', '/me/*'),
  to('core', 'GET', '/admin/*'),
  to('core', 'GET', '/studio/*'),
  to('core', 'GET', '/sw.js'),
  to('core', 'GET', '/manifest.webmanifest'),
];
