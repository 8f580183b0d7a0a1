export { apiKeysModule, introspectionModule } from './api-keys.module.ts';
export { isApiKey } from './api-keys.service.ts';
export { badKey } from './authenticate-keys.ts';
