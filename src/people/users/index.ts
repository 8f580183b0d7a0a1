export { seamRoutes } from './seam.routes.ts';
