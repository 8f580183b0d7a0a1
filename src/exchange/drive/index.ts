export { driveModule } from './drive.module.ts';
