import { type Route, route } from '../../kit/route.ts';
import { disconnectDrive, getDriveConsent, getDriveToken, keepDriveTokens } from './drive-tokens.contract.ts';
import type { DriveTokens } from './drive-tokens.service.ts';

export const driveTokenRoutes = (driveTokens: DriveTokens): Route[] => [
  route(getDriveConsent, ({ body }) => driveTokens.consent(body.user_id)),
  route(getDriveToken, async ({ params, body }) => {
    const { accessToken, expiresAt } = await driveTokens.token(body.user_id, params.provider, body.refused);
    return { access_token: accessToken, expires_at: expiresAt };
  }),
  route(keepDriveTokens, ({ params, body: { user_id, ...given } }) =>
    driveTokens.keep(user_id, params.provider, given),
  ),
  route(disconnectDrive, ({ params, body }) => driveTokens.disconnect(body.user_id, params.provider)),
];
