import {
  type DesktopTokens,
  DRIVE_FILE_SCOPE,
  type DriveAccounts,
  type DriveConsent,
} from '../../access/drive-accounts.ts';
import type { Config } from '../../kit/config/index.ts';
import { conflict, HttpError } from '../../kit/errors.ts';
import { type Drive, DriveError, type OpenDrive } from '../../platform/drive/drive.ts';
import { driveFailure, missingScope, notConnected } from './drive-errors.ts';

/** Whose drive it is, and the origin at which the caller reached the service, if there is a caller. */
export interface DriveUser {
  userId: string;
  origin?: string;
}

export interface DrivesOptions {
  accounts: DriveAccounts;
  openDrive: OpenDrive;
  config: Pick<Config, 'publicUrl'>;
}

/** The only one so far; its consent pages are at these addresses of the accounts service. */
const PROVIDER = 'google';
const LOGIN_PATH = `/api/auth/storage-oauth/${PROVIDER}`;
const UPGRADE_PATH = `/api/auth/oauth/${PROVIDER}/drive`;

export const notConfigured = () =>
  conflict(
    'No cloud drive is set up here: the accounts service needs OAUTH_GOOGLE_CLIENT_ID and OAUTH_GOOGLE_CLIENT_SECRET',
    { code: 'not_configured' },
  );

export const mayWrite = ({ isConnected, scopes }: DriveConsent): boolean =>
  isConnected && scopes.includes(DRIVE_FILE_SCOPE);

/** The users' drives, by the consents that the accounts service keeps. */
export function createDrives({ accounts, openDrive, config }: DrivesOptions) {
  const addressOf = (path: string, origin = '') =>
    `${(config.publicUrl ?? origin).replace(/\/+$/, '')}${path}`;
  const upgradeUrl = (origin?: string) => addressOf(UPGRADE_PATH, origin);

  /** A drive rejects with `DriveError` alone. */
  async function token(userId: string, refused: string | undefined): Promise<string> {
    try {
      return await accounts.accessToken(userId, refused);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const code = error.status === 409 ? 'revoked' : 'unavailable';
      throw new DriveError(code, error.message, { cause: error });
    }
  }

  const of = (userId: string, ended?: AbortSignal): Drive =>
    openDrive({
      async token(refused) {
        if (ended?.aborted) throw new DriveError('unavailable', 'The work with the drive was broken off');
        return token(userId, refused);
      },
    });

  /** The token is kept for nobody yet, so that a refused one cannot be renewed. */
  const ofToken = (accessToken: string): Drive =>
    openDrive({
      async token(refused) {
        if (refused === undefined) return accessToken;
        throw new DriveError('revoked', 'The drive does not accept the access token');
      },
    });

  async function requireConsent({ userId, origin }: DriveUser, isToWrite: boolean): Promise<void> {
    const consent = await accounts.status(userId);
    if (!consent.isConfigured) throw notConfigured();
    if (!consent.isConnected)
      throw notConnected(
        consent.problem ?? 'No drive is connected: open `upgrade_url` to connect it',
        upgradeUrl(origin),
      );
    if (isToWrite && !mayWrite(consent)) throw missingScope(upgradeUrl(origin));
  }

  const using =
    (isToWrite: boolean) =>
    async <Result>(user: DriveUser, work: (drive: Drive) => Promise<Result>): Promise<Result> => {
      await requireConsent(user, isToWrite);
      return explained(user, () => work(of(user.userId)));
    };

  /** Failures of the drive become answers. */
  async function explained<Result>({ origin }: Pick<DriveUser, 'origin'>, work: () => Promise<Result>) {
    try {
      return await work();
    } catch (error) {
      throw error instanceof DriveError ? driveFailure(error, upgradeUrl(origin)) : error;
    }
  }

  /** An access token may have ended on its way here: a refresh token brings another one. */
  async function tryTokens(
    { accessToken, refreshToken }: DesktopTokens,
    check: (drive: Drive) => Promise<void>,
  ): Promise<void> {
    if (accessToken === undefined) return;
    try {
      await check(ofToken(accessToken));
    } catch (error) {
      const isRenewable =
        refreshToken !== undefined && error instanceof DriveError && error.code === 'revoked';
      if (!isRenewable) throw error;
    }
  }

  return {
    /** Rejects only with `DriveError`. No request is sent after `ended` has aborted. */
    of,
    consentOf: (userId: string) => accounts.status(userId),
    /** They become the user's, unless `check` of the drive that they open rejects. Without an access token there is nothing to check. */
    async keepTokens(user: DriveUser, tokens: DesktopTokens, check: (drive: Drive) => Promise<void>) {
      if (!(await accounts.status(user.userId)).isConfigured) throw notConfigured();
      await explained(user, () => tryTokens(tokens, check));
      await accounts.keepTokens(user.userId, tokens);
    },
    loginUrl: (origin?: string) => addressOf(LOGIN_PATH, origin),
    upgradeUrl,
    explained,
    /** 409 `not_configured` or `not_connected`, and other answers for what the drive refuses. */
    read: using(false),
    /** Also 403 with `upgrade_url` if the consent does not include writing. */
    write: using(true),
  };
}

export type Drives = ReturnType<typeof createDrives>;
