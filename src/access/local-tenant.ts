/** The one tenant of a self-hosted core. */
export const LOCAL_TENANT = 'local';
