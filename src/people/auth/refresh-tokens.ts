import { createHmac, timingSafeEqual } from 'node:crypto';

/** The place of a refresh token: which session, and the how manieth of it. */
export interface RefreshPlace {
  sessionId: string;
  number: number;
}

export interface RefreshTokens {
  make(place: RefreshPlace): string;
  /** The place, or null for text that was not made here. */
  read(token: string): RefreshPlace | null;
}

const FORM = /^cnr_([\w-]{1,64})\.(\d{1,9})\.([\w-]{43})$/;

/**
 * Refresh tokens that are computed from their place and the secret: nothing of them is stored, and the same successor
 * can be given to two tabs.
 */
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
