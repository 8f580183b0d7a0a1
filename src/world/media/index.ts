export { mediaModule } from './media.module.ts';
