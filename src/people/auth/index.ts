export { passwordResetRoutes } from './password-resets.routes.ts';
