import type { DriveAccounts } from '../access/drive-accounts.ts';
import { conflict } from '../kit/errors.ts';

const refuse = async (): Promise<never> => {
  throw conflict(
    'Cloud drives need a cloud installation whose accounts service knows a provider (setting OAUTH_GOOGLE_CLIENT_ID)',
    { code: 'not_configured' },
  );
};

/** Of an installation without an accounts service: no user has a consent, and none can be asked for. */
export const unconfiguredDriveAccounts: DriveAccounts = {
  status: async () => ({
    isConfigured: false,
    provider: null,
    isConnected: false,
    scopes: [],
    expiresAt: null,
    refreshedAt: null,
    problem: null,
  }),
  accessToken: refuse,
  keepTokens: refuse,
  disconnect: refuse,
};
