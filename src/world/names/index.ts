export { namesModule } from './names.module.ts';
