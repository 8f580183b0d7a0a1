export { desktopSessionModule } from './desktop-session.module.ts';
