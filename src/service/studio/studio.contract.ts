import { Type } from 'typebox';
import { type Contract, contract } from '../../kit/contract.ts';
import { named } from '../../kit/schemas.ts';

const TAG = 'Studio';
const open = { auth: 'none', tag: TAG } satisfies Partial<Contract>;
const Path = Type.Object({ path: Type.String({ maxLength: 500 }) });

const page = (path: string, name: string, summary: string) =>
  contract(`GET ${path}`, {
    ...open,
    name,
    summary,
    replyType: 'text/html',
    reply: Type.String(),
    errors: [404],
  });

const pageBelow = (path: string, name: string, summary: string, example: string) => ({
  ...page(path, name, summary),
  params: Path,
  example: { params: { path: example } },
});

export const getStudio = contract('GET /', {
  ...open,
  name: 'getStudio',
  summary: 'The web app',
  description: 'A failed OAuth sign-in comes back here with its error code in the query.',
  replyType: 'text/html',
  reply: Type.String(),
});

/** Each address of the web app is answered with the same page, which shows what the address names. */
export const studioPages = [
  page('/welcome', 'getWelcomePage', 'The web app: the first steps of an installation'),
  page('/sign-in', 'getSignInPage', 'The web app: signing in'),
  page('/register', 'getRegisterPage', 'The web app: registering'),
  page('/forgot-password', 'getForgotPasswordPage', 'The web app: asking for a link by mail'),
  page('/reset-password', 'getResetPasswordPage', 'The web app: choosing a password by the link in a mail'),
  page('/accept-invite', 'getAcceptInvitePage', 'The web app: taking an invitation by its link'),
  page('/w', 'getWorldsPage', 'The web app: all worlds'),
] as const;

export const studioPagesBelow = [
  pageBelow('/w/{path}', 'getWorldPage', 'The web app: inside a world', 'default/character'),
  pageBelow('/me/{path}', 'getOwnPage', 'The web app: what belongs to the user', 'profile'),
  pageBelow('/admin/{path}', 'getAdminPage', 'The web app: managing the installation', 'people'),
] as const;

const file = { ...open, replyType: '*/*', reply: Type.String(), errors: [404] };

export const getStudioFile = contract('GET /studio/{path}', {
  ...file,
  name: 'getStudioFile',
  summary: 'A file of the web app',
  description: 'Names in `assets/` hold a hash of the bytes, so browsers may keep these files for ever.',
  params: Path,
  example: { params: { path: 'assets/main-1a2b3c4d.js' } },
});

export const getStudioWorker = contract('GET /sw.js', {
  ...file,
  name: 'getStudioWorker',
  summary: 'The service worker of the web app',
});

export const getStudioManifest = contract('GET /manifest.webmanifest', {
  ...file,
  name: 'getStudioManifest',
  summary: 'How the web app is installed',
});

const StudioConfig = named('StudioConfig', {
  deployment: Type.Enum(['self_hosted', 'desktop', 'cloud']),
  first_run: Type.Boolean({ description: 'Nobody has an account yet: the first one becomes the owner' }),
  registration: Type.Enum(['open', 'invite', 'closed'], {
    description: 'Who may register after the first account',
  }),
  providers: Type.Array(Type.String(), {
    description: 'OAuth providers to sign in with, by `GET /api/auth/oauth/{provider}`',
  }),
  mail: Type.Boolean({
    description: 'Links to choose a password and to join come by mail; otherwise admins pass them on',
  }),
  plugin_origin: Type.Union([Type.String(), Type.Null()], {
    description:
      'The origin of plugins’ pages, with `*` for the name of each; null where they have none and are shown in a sandbox',
  }),
  ai: Type.Boolean({ description: 'Whether models may be used at all' }),
  version: Type.String(),
  has_session: Type.Boolean({
    description: 'Whether the browser sent the cookie of a session, which may have ended since',
  }),
});

export const getStudioConfig = contract('GET /api/studio/config', {
  ...open,
  name: 'getStudioConfig',
  summary: 'What this installation is',
  description: 'What a page must know before anybody is signed in. It holds no secrets.',
  reply: StudioConfig,
  errors: [503],
  example: {
    reply: {
      deployment: 'self_hosted',
      first_run: true,
      registration: 'invite',
      providers: [],
      mail: false,
      plugin_origin: 'http://*.localhost:8000',
      ai: true,
      version: '0.1.0',
      has_session: false,
    },
  },
});
