export {
  ACCESS_TOKEN_LIFETIME,
  type AccessTokens,
  createTokenCheck,
  endedSession,
  expiredToken,
  type VerifiedClaims,
} from './access-tokens.ts';
export type { CountAttempt } from './attempts.ts';
export { authModule } from './auth.module.ts';
export type { Auth } from './auth.service.ts';
export type { SignedIn } from './authenticate.ts';
export { createIdentity, type Identity } from './identity.ts';
export { createPasswordResetMail, createPasswordResetRequests } from './password-reset-mail.ts';
export { passwordResetRoutes } from './password-resets.routes.ts';
export { createPasswordResets } from './password-resets.service.ts';
export { createPasswordSignIn, type PasswordSignIn } from './password-sign-in.ts';
export { accessCookieName, createSessionCookies, type SessionCookies } from './session-cookies.ts';
export { endSession, renewSession } from './session-requests.ts';
export type { Granted } from './sessions.service.ts';
export { publishedKeys, type VerifyingKeys } from './token-keys.ts';
export { webRoutes } from './web.routes.ts';
export { webSessionOf } from './web-session.reply.ts';
