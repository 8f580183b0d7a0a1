import { createHmac, timingSafeEqual } from 'node:crypto';

/** The position of a refresh token: its session and its number there. */
export interface RefreshPlace {
  sessionId: string;
  number: number;
}

export interface RefreshTokens {
  make(place: RefreshPlace): string;
  /** The position, or null for text that was not issued here. */
  read(token: string): RefreshPlace | null;
}

const FORM = /^cnr_([\w-]{1,64})\.(\d{1,9})\.([\w-]{43})$/;

/** Refresh tokens are computed from their position and the secret: nothing is stored, and two tabs can get the same successor. */
export function createRefreshTokens(secret: string): RefreshTokens {
  const sign = (sessionId: string, number: string): string =>
    createHmac('sha256', secret).update(`canonry refresh token\n${sessionId}\n${number}`).digest('base64url');
  return {
    make: ({ sessionId, number }) => `cnr_${sessionId}.${number}.${sign(sessionId, String(number))}`,
    read(token) {
      const [, sessionId, number, signature] = FORM.exec(token) ?? [];
      if (sessionId === undefined || number === undefined || signature === undefined) return null;
      const isOurs = timingSafeEqual(Buffer.from(sign(sessionId, number)), Buffer.from(signature));
      return isOurs ? { sessionId, number: Number(number) } : null;
    },
  };
}
