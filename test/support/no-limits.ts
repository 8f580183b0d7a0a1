/** Tests send more requests than people do. */
export const NO_LIMITS = { RATE_LIMIT_LOGIN: '0', RATE_LIMIT_ANONYMOUS: '0', RATE_LIMIT_USER: '0' };
